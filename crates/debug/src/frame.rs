//! The variables of a function, as its code shows them: what is read and written through the frame pointer, and what holds addresses.

use std::collections::{BTreeMap, BTreeSet};

use twinrun_interp::code::Code;
use twinrun_interp::instr::{Form, Instr, Operand, Reg};
use twinrun_interp::{BinaryOp, LoadOp, StoreOp};

/// The variables of a function.
pub(crate) struct Frame {
    pointer: Option<Reg>,
    /// Variables of one kind, by their offsets.
    words: BTreeMap<Kind, Vec<u32>>,
    /// Instructions that use the frame pointer.
    probes: Vec<u32>,
    /// Small numbers that the function uses, the most frequent first.
    numbers: Vec<i32>,
    /// Registers that hold addresses.
    addresses: BTreeSet<Reg>,
    /// Registers that hold indices in bytes, right before they are added to an address.
    scaled: BTreeSet<Reg>,
    /// Words that hold addresses: whether they are in the frame, and their offset.
    address_words: BTreeSet<(bool, u32)>,
    /// Arrays and structures of the frame, by their offsets.
    arrays: Vec<u32>,
}

/// What a variable must have in common with another one to be mistaken for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Kind {
    /// It is a variable of the frame; otherwise a field of a structure, or global.
    own: bool,
    bytes: u32,
    address: bool,
}

/// What a computation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// A value of the program.
    Value,
    /// An address of something in an array or a structure.
    Address,
    /// The address of a variable of the frame.
    Variable,
    /// An index in bytes, or the frame itself.
    Scale,
}

/// So many instructions may lie between reading a variable and writing it back.
const UPDATE: u32 = 12;
/// How many numbers of a function are tried elsewhere in it.
const NUMBERS: usize = 2;

impl Frame {
    /// The frame of a function's code.
    pub(crate) fn of(code: &Code) -> Frame {
        let mut uses: BTreeMap<Reg, u32> = BTreeMap::new();
        for instr in &code.instrs {
            if let Some((register, _)) = instr.memory_operand() {
                *uses.entry(register).or_default() += 1;
            }
        }
        let pointer = uses.iter().max_by_key(|(register, count)| (**count, std::cmp::Reverse(**register)));
        let pointer = pointer.map(|(register, _)| *register);
        let (addresses, scaled) = addresses(code, pointer);
        let mut frame = Frame {
            pointer,
            words: BTreeMap::new(),
            probes: Vec::new(),
            numbers: Vec::new(),
            addresses,
            scaled,
            address_words: BTreeSet::new(),
            arrays: Vec::new(),
        };
        for instr in &code.instrs {
            if let (Some((register, offset)), Form::Load(_)) = (instr.memory_operand(), instr.form())
                && let Some(dst) = { *instr }.def_mut()
                && frame.addresses.contains(dst)
            {
                frame.address_words.insert((Some(register) == pointer, offset));
            }
        }
        for (pc, instr) in code.instrs.iter().enumerate() {
            if let Some((BinaryOp::I32Add, _, a, Operand::Imm(imm))) = instr.binary_parts()
                && Some(a) == pointer
                && !frame.arrays.contains(&(imm as u32))
            {
                frame.arrays.push(imm as u32);
            }
            let Some((register, offset)) = instr.memory_operand() else { continue };
            if Some(register) == pointer {
                frame.probes.push(pc as u32);
            }
            let known = frame.words.entry(frame.kind(*instr, register, offset)).or_default();
            if !known.contains(&offset) {
                known.push(offset);
            }
        }
        frame.numbers = frame.numbers_of(code);
        frame
    }

    /// Zero and the constants that the function computes and compares with: what stands in one place is sometimes meant for another.
    fn numbers_of(&self, code: &Code) -> Vec<i32> {
        let mut uses: BTreeMap<i32, u32> = BTreeMap::new();
        for instr in &code.instrs {
            let number = match (*instr, instr.binary_parts()) {
                (Instr::I32Const { imm, .. }, _) => Some(imm),
                (_, Some((_, _, _, Operand::Imm(imm)))) if self.role(*instr) == Role::Value => Some(imm),
                _ => None,
            };
            if let Some(number) = number.filter(|number| (-1000..=1000).contains(number)) {
                *uses.entry(number).or_default() += 1;
            }
        }
        uses.remove(&0);
        let mut numbers: Vec<(u32, i32)> = uses.into_iter().map(|(number, count)| (count, number)).collect();
        numbers.sort_by_key(|(count, number)| (std::cmp::Reverse(*count), number.abs(), *number));
        std::iter::once(0).chain(numbers.into_iter().take(NUMBERS).map(|(_, number)| number)).collect()
    }

    fn kind(&self, instr: Instr, register: Reg, offset: u32) -> Kind {
        let own = Some(register) == self.pointer;
        Kind { own, bytes: width(instr), address: self.address_words.contains(&(own, offset)) }
    }

    /// What a computation is for.
    pub(crate) fn role(&self, instr: Instr) -> Role {
        match instr.binary_parts() {
            Some((_, dst, ..)) if Some(dst) == self.pointer => Role::Scale,
            Some((BinaryOp::I32Add, _, a, Operand::Imm(_))) if Some(a) == self.pointer => Role::Variable,
            Some((_, dst, ..)) if self.addresses.contains(&dst) => Role::Address,
            Some((BinaryOp::I32Shl | BinaryOp::I32Mul, dst, _, Operand::Imm(_)))
                if self.scaled.contains(&dst) =>
            {
                Role::Scale
            }
            _ => Role::Value,
        }
    }

    /// Whether a load or store moves an address.
    pub(crate) fn is_address(&self, instr: Instr) -> bool {
        let operand = instr.memory_operand();
        operand.is_some_and(|(register, offset)| self.kind(instr, register, offset).address)
    }

    /// Whether a store puts a parameter where the function keeps it.
    pub(crate) fn keeps_parameter(&self, code: &Code, pc: u32) -> bool {
        let instr = code.instrs[pc as usize];
        let mut value = None;
        // The last register that a store reads is the value.
        instr.each_use(|register| value = Some(register));
        let is_first =
            !code.instrs[..pc as usize].iter().any(|it| matches!(it.form(), Form::Load(_) | Form::Branch(_)));
        is_first && value.is_some_and(|register| register < code.params)
    }

    /// The instruction that reads the variable which the store at `pc` writes, when both do it in one go: `i++`, `sum += x`.
    pub(crate) fn updated(&self, code: &Code, pc: u32) -> Option<u32> {
        let store = code.instrs[pc as usize];
        let own = store.memory_operand().filter(|(register, _)| Some(*register) == self.pointer)?;
        for before in (pc.saturating_sub(UPDATE)..pc).rev() {
            let instr = code.instrs[before as usize];
            match instr.form() {
                Form::Load(_) if instr.memory_operand() == Some(own) => return Some(before),
                Form::Store(_) | Form::Branch(_) => return None,
                _ => {}
            }
        }
        None
    }

    /// The other variables that may be meant in a load or store.
    pub(crate) fn others(&self, instr: Instr) -> impl Iterator<Item = u32> + '_ {
        let own = instr.memory_operand();
        let words = own.and_then(|(register, offset)| self.words.get(&self.kind(instr, register, offset)));
        let words = words.into_iter().flatten().copied();
        words.filter(move |word| own.is_some_and(|(_, offset)| offset != *word))
    }

    /// The other arrays and structures that may be meant where the address of one is taken.
    pub(crate) fn other_arrays(&self, instr: Instr) -> impl Iterator<Item = u32> + '_ {
        let own = instr.binary_parts().map(|(.., right)| right);
        self.arrays.iter().copied().filter(move |other| own != Some(Operand::Imm(*other as i32)))
    }

    /// Small numbers that the function uses.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = i32> + '_ {
        self.numbers.iter().copied()
    }

    /// The nearest instruction before `pc` whose address is the frame's.
    pub(crate) fn probe_before(&self, pc: u32) -> Option<u32> {
        self.probes.iter().rev().find(|probe| **probe < pc).copied()
    }

    /// The variables that a number may be assigned to.
    pub(crate) fn assigned(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.get(&Kind { own: true, bytes: 4, address: false }).into_iter().flatten().copied()
    }
}

/// Registers that hold addresses, and such that hold what is added to them: found from their uses backwards.
fn addresses(code: &Code, pointer: Option<Reg>) -> (BTreeSet<Reg>, BTreeSet<Reg>) {
    let (mut addresses, mut scaled) = (BTreeSet::new(), BTreeSet::new());
    for instr in code.instrs.iter().rev() {
        if let Some((register, _)) = instr.memory_operand().filter(|(register, _)| Some(*register) != pointer)
        {
            addresses.insert(register);
        }
        match (*instr, instr.binary_parts()) {
            (_, Some((BinaryOp::I32Add | BinaryOp::I32Sub, dst, a, b))) if addresses.contains(&dst) => {
                addresses.extend(Some(a).filter(|a| Some(*a) != pointer));
                if let Operand::Reg(b) = b {
                    scaled.insert(b);
                }
            }
            (Instr::Copy { dst, a }, _) if addresses.contains(&dst) => {
                addresses.insert(a);
            }
            _ => {}
        }
    }
    (addresses, scaled)
}

fn width(instr: Instr) -> u32 {
    match instr.form() {
        Form::Load(op) => LoadOp::bytes(op),
        Form::Store(op) => StoreOp::bytes(op),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use twinrun_interp::Module;
    use twinrun_interp::module::LoadOptions;

    /// `int f(int *a, int i) { int n = a[i]; i++; return n; }` as compilers write it without optimising.
    const CODE: &str = r#"(module (memory 1) (global $sp (mut i32) (i32.const 4096))
        (func (export "f") (param i32 i32) (result i32) (local $frame i32) (local i32 i32 i32 i32 i32 i32 i32)
            (local.set $frame (i32.sub (global.get $sp) (i32.const 16)))
            (i32.store offset=12 (local.get $frame) (local.get 0))
            (i32.store offset=8 (local.get $frame) (local.get 1))
            (local.set 3 (i32.load offset=12 (local.get $frame)))
            (local.set 4 (i32.load offset=8 (local.get $frame)))
            (local.set 5 (i32.shl (local.get 4) (i32.const 2)))
            (local.set 6 (i32.add (local.get 3) (local.get 5)))
            (local.set 7 (i32.load (local.get 6)))
            (i32.store offset=4 (local.get $frame) (local.get 7))
            (local.set 8 (i32.load offset=8 (local.get $frame)))
            (local.set 9 (i32.add (local.get 8) (i32.const 1)))
            (i32.store offset=8 (local.get $frame) (local.get 9))
            (i32.load offset=4 (local.get $frame))))"#;

    fn with_code(check: impl Fn(&Code, &Frame)) {
        let bytes = wat::parse_str(CODE).expect("the text is a module");
        let module = Module::new(&bytes, LoadOptions::default()).expect("it decodes");
        let code = module.code(0);
        check(code, &Frame::of(code));
    }

    /// The instructions of one form that touch a word of the frame.
    fn touching(code: &Code, offset: u32, load: bool) -> Vec<u32> {
        let is = |instr: &Instr| matches!(instr.form(), Form::Load(_)) == load;
        let touches = |instr: &Instr| instr.memory_operand().is_some_and(|(_, at)| at == offset);
        let found = code.instrs.iter().enumerate().filter(|(_, instr)| touches(instr) && is(instr));
        found.map(|(pc, _)| pc as u32).collect()
    }

    #[test]
    fn numbers_are_mistaken_for_numbers_and_not_for_pointers() {
        with_code(|code, frame| {
            let others = |offset: u32| {
                let at = touching(code, offset, true)[0];
                frame.others(code.instrs[at as usize]).collect::<Vec<u32>>()
            };
            assert_eq!(others(8), [4]);
            assert!(others(12).is_empty());
            assert_eq!(frame.assigned().collect::<Vec<u32>>(), [8, 4]);
        });
    }

    #[test]
    fn only_values_of_the_program_are_computed_otherwise() {
        with_code(|code, frame| {
            let roles = |op: BinaryOp| {
                let of_op = code.instrs.iter().filter(|instr| instr.form() == Form::Binary(op));
                of_op.map(|instr| frame.role(*instr)).collect::<Vec<Role>>()
            };
            assert_eq!(roles(BinaryOp::I32Sub), [Role::Scale]);
            assert_eq!(roles(BinaryOp::I32Shl), [Role::Scale]);
            assert_eq!(roles(BinaryOp::I32Add), [Role::Address, Role::Value]);
            assert_eq!(frame.numbers().collect::<Vec<i32>>(), [0, 1]);
        });
    }

    #[test]
    fn a_variable_that_is_counted_up_is_read_and_written_in_one_go() {
        with_code(|code, frame| {
            let stores = touching(code, 8, false);
            let parameters: Vec<bool> = stores.iter().map(|pc| frame.keeps_parameter(code, *pc)).collect();
            assert_eq!(parameters, [true, false]);
            assert_eq!(frame.updated(code, stores[1]), touching(code, 8, true).last().copied());
            assert_eq!(frame.updated(code, touching(code, 4, false)[0]), None);
        });
    }
}
