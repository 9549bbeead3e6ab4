//! Branches merge into one state at their join. The domain of these tests computes several inputs at once, one in each lane: a branch on which the lanes
//! disagree is suspended, both sides run to the join, and the merged lanes must equal what each input gives alone.

use std::sync::Arc;

use twinrun_base::Limits;
use twinrun_interp::concrete;
use twinrun_interp::module::Item;
use twinrun_interp::{
    BinaryOp, Concrete, Decision, Domain, LoadOp, LoadOptions, Mark, Memory, Merge, Module, NoImports,
    Outcome, Position, State, StoreOp, Trap, Type, UnaryOp, arith, call, instantiate, merge, run,
};

const LANES: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Value([u64; LANES]);

/// The memory of each lane.
#[derive(Clone, Default)]
struct Shadow(Option<Box<[Memory<()>; LANES]>>);

/// Which lanes are on the present way.
struct Lanes {
    active: [bool; LANES],
}

impl Lanes {
    fn each(&self, mut value: impl FnMut(usize) -> Result<u64, Trap>) -> Result<Value, Trap> {
        let mut lanes = [0; LANES];
        for (lane, out) in lanes.iter_mut().enumerate() {
            match value(lane) {
                Ok(bits) => *out = bits,
                Err(trap) if self.active[lane] => return Err(trap),
                Err(_) => {}
            }
        }
        Ok(Value(lanes))
    }

    fn agree(&self, outcome: impl Fn(usize) -> u32) -> Decision {
        let mut outcomes = (0..LANES).filter(|lane| self.active[*lane]).map(outcome);
        let first = outcomes.next().unwrap_or(0);
        if outcomes.all(|outcome| outcome == first) { Decision::Take(first) } else { Decision::Suspend }
    }
}

fn lanes(memory: &mut Memory<Shadow>) -> &mut [Memory<()>; LANES] {
    if memory.shadow.0.is_none() {
        let bytes = memory.read(0, memory.len()).unwrap();
        let lane = |_| {
            let mut lane = Memory::new(bytes.len() as u64 / 65536, None);
            lane.write(0, &bytes).unwrap();
            lane
        };
        memory.shadow.0 = Some(Box::new(std::array::from_fn(lane)));
    }
    memory.shadow.0.as_mut().unwrap()
}

impl Domain for Lanes {
    type Value = Value;
    type Shadow = Shadow;
    const PAUSES: bool = true;

    fn constant(&mut self, _ty: Type, bits: u64) -> Value {
        Value([bits; LANES])
    }

    fn concretise(&mut self, _at: Position, value: Value) -> Result<u64, Trap> {
        let mut active = (0..LANES).filter(|lane| self.active[*lane]).map(|lane| value.0[lane]);
        let first = active.next().unwrap_or(0);
        if active.all(|bits| bits == first) { Ok(first) } else { Err(Trap::Domain) }
    }

    fn peek(&self, value: Value) -> u64 {
        value.0[0]
    }

    fn unary(&mut self, _at: Position, op: UnaryOp, a: Value) -> Result<Value, Trap> {
        self.each(|lane| arith::unary(op, a.0[lane]))
    }

    fn binary(&mut self, _at: Position, op: BinaryOp, a: Value, b: Value) -> Result<Value, Trap> {
        self.each(|lane| arith::binary(op, a.0[lane], b.0[lane]))
    }

    fn branch(&mut self, _at: Position, condition: Value) -> Decision {
        self.agree(|lane| u32::from(condition.0[lane] as u32 != 0))
    }

    fn switch(&mut self, _at: Position, index: Value, outcomes: u32) -> Decision {
        self.agree(|lane| (index.0[lane] as u32).min(outcomes - 1))
    }

    fn select(&mut self, _at: Position, condition: Value, a: Value, b: Value) -> Value {
        self.merge(condition, a, b)
    }

    fn load(
        &mut self,
        _at: Position,
        memory: &Memory<Shadow>,
        op: LoadOp,
        address: Value,
        offset: u32,
    ) -> Result<Value, Trap> {
        self.each(|lane| {
            let at = address.0[lane] + u64::from(offset);
            match &memory.shadow.0 {
                Some(lanes) => concrete::load(&lanes[lane], op, at),
                None => concrete::load(memory, op, at),
            }
        })
    }

    fn store(
        &mut self,
        _at: Position,
        memory: &mut Memory<Shadow>,
        op: StoreOp,
        address: Value,
        offset: u32,
        value: Value,
    ) -> Result<(), Trap> {
        let lanes = lanes(memory);
        self.each(|lane| {
            concrete::store(&mut lanes[lane], op, address.0[lane] + u64::from(offset), value.0[lane])
                .map(|()| 0)
        })?;
        Ok(())
    }

    fn copy(&mut self, _memory: &mut Memory<Shadow>, _to: u64, _from: u64, _len: u64) -> Result<(), Trap> {
        Err(Trap::Domain)
    }

    fn fill(&mut self, _memory: &mut Memory<Shadow>, _to: u64, _value: Value, _len: u64) -> Result<(), Trap> {
        Err(Trap::Domain)
    }

    fn write(&mut self, memory: &mut Memory<Shadow>, to: u64, bytes: &[u8]) -> Result<(), Trap> {
        memory.write(to, bytes)
    }
}

impl Merge for Lanes {
    fn merge(&mut self, condition: Value, a: Value, b: Value) -> Value {
        Value(std::array::from_fn(|lane| if condition.0[lane] as u32 != 0 { a.0[lane] } else { b.0[lane] }))
    }

    fn merge_memory(
        &mut self,
        condition: Value,
        a: &Memory<Shadow>,
        b: &Memory<Shadow>,
    ) -> Result<Memory<Shadow>, Trap> {
        let (mut joined, mut b) = (a.clone(), b.clone());
        let from = lanes(&mut b).clone();
        for (lane, memory) in lanes(&mut joined).iter_mut().enumerate() {
            if condition.0[lane] as u32 == 0 {
                *memory = from[lane].clone();
            }
        }
        Ok(joined)
    }
}

/// Runs to the end, or to the marks of the caller, and merges on the way.
fn run_merged(mut state: State<Lanes>, domain: &mut Lanes, merges: &mut usize) -> Result<State<Lanes>, Trap> {
    loop {
        let (at, condition, outcomes) = match run(&mut state, domain, &mut NoImports, &mut ()) {
            Outcome::Finished | Outcome::Paused => return Ok(state),
            Outcome::Trapped(trap) => return Err(trap),
            Outcome::Suspended { at, condition, outcomes } => (at, condition, outcomes),
        };
        let open = state.frames.len() as u32;
        let join = state.linked.code(at.function).unwrap().flow().join(at.pc);
        let mark = join.map_or(Mark::Return(open), |pc| Mark::At(open, Position { pc, ..at }));
        let outside = state.marks.clone();
        let all = domain.active;
        let mut joined: Option<State<Lanes>> = None;
        for outcome in (0..outcomes).rev() {
            // `if` and `br_if` test for zero, `br_table` for an index.
            let of = |lane: usize| match outcomes {
                2 => u32::from(condition.0[lane] as u32 != 0),
                _ => (condition.0[lane] as u32).min(outcomes - 1),
            };
            let here: [bool; LANES] = std::array::from_fn(|lane| all[lane] && of(lane) == outcome);
            if !here.contains(&true) {
                continue;
            }
            domain.active = here;
            let mut side = state.clone();
            side.marks = vec![mark];
            side.force(outcome);
            let side = run_merged(side, domain, merges)?;
            let chosen = Value(here.map(u64::from));
            joined = Some(match joined {
                None => side,
                Some(other) => {
                    *merges += 1;
                    merge(domain, chosen, &side, &other).map_err(|_| Trap::Domain)?
                }
            });
        }
        domain.active = all;
        state = joined.unwrap();
        state.marks.clone_from(&outside);
        // The join of this branch may be where the caller pauses too.
        let open = state.frames.len() as u32;
        let here = state.position();
        let pauses = |mark: &Mark| match *mark {
            Mark::At(frames, position) => frames == open && Some(position) == here,
            Mark::Return(frames) => open < frames,
        };
        if state.frames.is_empty() || outside.iter().any(pauses) {
            return Ok(state);
        }
    }
}

/// How many merges a function needs for these inputs; asserts that every lane is what the input gives alone.
fn check(bytes: &[u8], name: &str, inputs: &[[u64; LANES]]) -> Option<usize> {
    let module = Arc::new(Module::new(bytes, LoadOptions::default()).unwrap());
    let limits = Limits { work: 1 << 20, memory: 1 << 20, output: 0, depth: 500 };
    let mut expected = Vec::new();
    for lane in 0..LANES {
        let mut state: State<Concrete> = State::new(limits);
        let instance = instantiate(&mut state, &mut Concrete, &mut NoImports, &module).ok()?;
        let Some(Item::Function(function)) = state.export(instance, name) else { panic!("no {name}") };
        let arguments: Vec<u64> = inputs.iter().map(|input| input[lane]).collect();
        // Merging is defined for ways that all come to the join.
        if call(&mut state, &mut Concrete, &mut NoImports, &mut (), function, &arguments) != Outcome::Finished
        {
            return None;
        }
        let memory = state.memory(instance).map(|memory| memory.read(0, memory.len()).unwrap());
        expected.push((state.results.clone(), state.globals.clone(), memory));
    }
    let mut state: State<Lanes> = State::new(limits);
    let mut domain = Lanes { active: [true; LANES] };
    let instance = instantiate(&mut state, &mut domain, &mut NoImports, &module).ok()?;
    let Some(Item::Function(function)) = state.export(instance, name) else { panic!("no {name}") };
    let arguments: Vec<Value> = inputs.iter().map(|input| Value(*input)).collect();
    state.enter(&mut domain, function, &arguments);
    let mut merges = 0;
    let mut state = match run_merged(state, &mut domain, &mut merges) {
        Ok(state) => state,
        Err(Trap::Domain | Trap::Work) => return None,
        Err(trap) => panic!("{name}: {trap}"),
    };
    for (lane, (results, globals, memory)) in expected.iter().enumerate() {
        let pick = |values: &[Value]| values.iter().map(|value| value.0[lane]).collect::<Vec<_>>();
        assert_eq!(&pick(&state.results), results, "{name}, lane {lane}");
        assert_eq!(&pick(&state.globals), globals, "{name}, lane {lane}");
        if let (Some(expected), Some(memory)) = (memory, state.memory_mut(instance)) {
            let memory = &lanes(memory)[lane];
            assert_eq!(&memory.read(0, memory.len()).unwrap(), expected, "memory of {name}, lane {lane}");
        }
    }
    Some(merges)
}

#[test]
fn an_if_merges_at_its_join() {
    let bytes = wat::parse_str(
        r#"(module (memory 1) (func (export "f") (param i32 i32) (result i32) (local i32)
            (if (i32.lt_s (local.get 0) (local.get 1))
                (then (local.set 2 (i32.const 10)) (i32.store (i32.const 8) (local.get 0)))
                (else (local.set 2 (local.get 1)) (i32.store (i32.const 12) (local.get 1))))
            (i32.add (local.get 2) (i32.load (i32.const 8)))))"#,
    )
    .unwrap();
    assert_eq!(check(&bytes, "f", &[[1, 2, 3, 4], [2, 2, 2, 9]]), Some(1));
}

#[test]
fn a_loop_with_different_lengths_merges_at_its_exit() {
    let bytes = wat::parse_str(
        r#"(module (memory 1) (func (export "sum") (param i32) (result i32) (local i32)
            (block (loop
                (br_if 1 (i32.eqz (local.get 0)))
                (if (i32.and (local.get 0) (i32.const 1)) (then (local.set 1 (i32.add (local.get 1) (local.get 0)))))
                (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
                (br 0)))
            (local.get 1)))"#,
    )
    .unwrap();
    assert!(check(&bytes, "sum", &[[0, 3, 5, 5]]).unwrap() >= 2);
}

#[test]
fn a_switch_and_an_early_return_merge_where_the_function_returns() {
    let bytes = wat::parse_str(
        r#"(module (global $g (export "g") (mut i32) (i32.const 0))
            (func $inner (param i32) (result i32)
                (block (block (block (br_table 0 1 2 (local.get 0)))
                    (return (i32.const 100)))
                    (global.set $g (i32.const 7)))
                (i32.mul (local.get 0) (i32.const 3)))
            (func (export "f") (param i32) (result i32) (i32.add (i32.const 1) (call $inner (local.get 0)))))"#,
    )
    .unwrap();
    assert!(check(&bytes, "f", &[[0, 1, 2, 9]]).unwrap() >= 2);
}

#[test]
fn a_sort_of_different_arrays_merges_in_every_step() {
    // Insertion sort of the words from 0 on, in the shape that compilers give to `while (j > 0 && a[j - 1] > x)`.
    let bytes = wat::parse_str(
        r#"(module (memory (export "memory") 1)
            (func $put (param $at i32) (param $x i32) (i32.store (i32.shl (local.get $at) (i32.const 2)) (local.get $x)))
            (func $get (param $at i32) (result i32) (i32.load (i32.shl (local.get $at) (i32.const 2))))
            (func (export "sort") (param i32 i32 i32 i32) (result i32) (local $i i32) (local $j i32) (local $x i32)
                (call $put (i32.const 0) (local.get 0)) (call $put (i32.const 1) (local.get 1))
                (call $put (i32.const 2) (local.get 2)) (call $put (i32.const 3) (local.get 3))
                (local.set $i (i32.const 1))
                (block $done (loop $outer
                    (br_if $done (i32.ge_s (local.get $i) (i32.const 4)))
                    (local.set $x (call $get (local.get $i)))
                    (local.set $j (local.get $i))
                    (block $placed (loop $inner
                        (br_if $placed (i32.eqz (if (result i32) (i32.gt_s (local.get $j) (i32.const 0))
                            (then (i32.gt_s (call $get (i32.sub (local.get $j) (i32.const 1))) (local.get $x)))
                            (else (i32.const 0)))))
                        (call $put (local.get $j) (call $get (i32.sub (local.get $j) (i32.const 1))))
                        (local.set $j (i32.sub (local.get $j) (i32.const 1)))
                        (br $inner)))
                    (call $put (local.get $j) (local.get $x))
                    (local.set $i (i32.add (local.get $i) (i32.const 1)))
                    (br $outer)))
                (i32.add (i32.mul (call $get (i32.const 1)) (i32.const 100)) (call $get (i32.const 2)))))"#,
    )
    .unwrap();
    let merges = check(&bytes, "sort", &[[1, 4, 2, 3], [2, 3, 1, 3], [3, 2, 4, 1], [4, 1, 3, 2]]).unwrap();
    assert!(merges >= 4, "{merges}");
}
