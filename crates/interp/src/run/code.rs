//! The loop that executes register code.

use crate::domain::{Decision, Domain, Position};
use crate::imports::{Imports, Touched};
use crate::instr::{Instr, Reg};
use crate::natives::catcher;
use crate::observers::Observer;
use crate::ops::{BinaryOp, LoadOp, StoreOp, Type, UnaryOp, with_ops};
use crate::run::{Stop, bulk, host};
use crate::state::{Body, Frame, Linked, Mark, State};
use crate::trap::Trap;

/// The registers of the innermost frame.
///
/// The translation gives every instruction registers below `Code::registers`, and a frame is opened only when the stack holds so many from its base on;
/// the window is made anew whenever the stack may have moved.
#[derive(Clone, Copy)]
struct Window<V> {
    first: *mut V,
    #[cfg(debug_assertions)]
    len: usize,
}

impl<V: Copy> Window<V> {
    fn new(stack: &mut [V], base: usize, registers: usize) -> Window<V> {
        assert!(base + registers <= stack.len(), "a frame lies inside the stack");
        Window {
            first: stack[base..].as_mut_ptr(),
            #[cfg(debug_assertions)]
            len: registers,
        }
    }

    #[inline(always)]
    fn get(self, reg: Reg) -> V {
        #[cfg(debug_assertions)]
        assert!(usize::from(reg) < self.len);
        // SAFETY: the register is below the frame's number of registers, all of which lie inside the stack (see the type).
        unsafe { *self.first.add(usize::from(reg)) }
    }

    #[inline(always)]
    fn set(self, reg: Reg, value: V) {
        #[cfg(debug_assertions)]
        assert!(usize::from(reg) < self.len);
        // SAFETY: as in `get`; nothing else refers to the stack while an instruction executes.
        unsafe { *self.first.add(usize::from(reg)) = value }
    }
}

macro_rules! define_run {
    (compare { $(($c:ident $ci:ident $cb:ident $cbi:ident $ct:ident))* } integer { $(($i:ident $ii:ident $it:ident))* } float { $($f:ident)* }
     unary { $($u:ident)* } load { $(($l:ident $lt:ident $lb:literal $ls:literal))* } store { $(($s:ident $st:ident $sb:literal))* }) => {
        /// Executes the innermost frame, which has code, until another kind of frame is innermost or something stops it.
        pub(super) fn run<D: Domain, I: Imports<D>, O: Observer>(
            linked: &Linked,
            state: &mut State<D>,
            domain: &mut D,
            imports: &mut I,
            observer: &mut O,
        ) -> Stop<D::Value> {
            let Some(&Frame { mut function, pc: first_pc, mut base }) = state.frames.last() else { return Stop::Switch };
            let Body::Code(mut number, index) = linked.functions[function as usize].body else { return Stop::Switch };
            let mut instance = &linked.instances[number as usize];
            let mut code = instance.module.code(index);
            let mut memory = instance.memories.first().map_or(usize::MAX, |memory| *memory as usize);
            let mut pc = first_pc as usize;
            let mut work = state.work;
            let limit = state.limits.work;
            // Work up to here needs no look at the limit or for a cut.
            let slice = instance.module.slice();
            let mut pause = work.saturating_add(slice).min(limit);
            // Calls are counted from the innermost host function on that entered code.
            let host = |frame: &Frame| matches!(linked.functions[frame.function as usize].body, Body::Host(_));
            let deepest = state.frames.iter().rposition(host).map_or(0, |floor| floor + 1) + state.limits.depth as usize;
            // A mark where we start is where we paused last: go on from it.
            let mut moved = false;
            if work > limit {
                return Stop::Trap(Trap::Work);
            }
            reserve(state, domain, base as usize + code.registers as usize);
            let mut regs = Window::new(&mut state.stack, base as usize, code.registers as usize);

            macro_rules! at {
                () => { Position { function, pc: pc as u32 } };
            }
            macro_rules! stop {
                ($stop:expr) => {{
                    state.work = work;
                    if let Some(frame) = state.frames.last_mut() {
                        frame.pc = pc as u32;
                    }
                    return $stop;
                }};
            }
            macro_rules! check {
                ($result:expr) => {
                    match $result {
                        Ok(value) => value,
                        Err(trap) => stop!(Stop::Trap(trap)),
                    }
                };
            }
            macro_rules! constant {
                ($ty:ident, $imm:expr) => { domain.constant(Type::$ty, immediate(Type::$ty, $imm)) };
            }
            macro_rules! spend {
                () => { spend!(1) };
                ($units:expr) => {{
                    work += $units;
                    if work > pause {
                        if work > limit {
                            stop!(Stop::Trap(Trap::Work));
                        }
                        if twinrun_base::cut::is_requested() {
                            stop!(Stop::Trap(Trap::Cut));
                        }
                        pause = work.saturating_add(slice).min(limit);
                    }
                }};
            }
            macro_rules! jump {
                ($to:expr) => {{
                    let to = $to as usize;
                    if to <= pc {
                        // A back-edge.
                        spend!();
                    }
                    pc = to;
                    continue;
                }};
            }
            macro_rules! decide {
                ($condition:expr) => {{
                    let outcome = match state.forced {
                        Some(outcome) if D::PAUSES => {
                            state.forced = None;
                            outcome
                        }
                        _ => {
                            let condition = $condition;
                            match domain.branch(at!(), condition) {
                                Decision::Take(outcome) => outcome,
                                Decision::Fail(trap) => stop!(Stop::Trap(trap)),
                                Decision::Suspend => stop!(Stop::Suspended(at!(), condition, 2)),
                            }
                        }
                    };
                    observer.branch(at!(), code, outcome);
                    outcome != 0
                }};
            }
            macro_rules! branch {
                ($condition:expr, $target:expr) => {{
                    if decide!($condition) == $target.on() {
                        jump!($target.pc());
                    }
                }};
            }
            // Makes the innermost frame the current one.
            macro_rules! reload {
                () => {{
                    let Some(&frame) = state.frames.last() else { return Stop::Switch };
                    function = frame.function;
                    base = frame.base;
                    pc = frame.pc as usize;
                    let Body::Code(of, index) = linked.functions[function as usize].body else { return Stop::Switch };
                    if of != number {
                        number = of;
                        instance = &linked.instances[number as usize];
                        memory = instance.memories.first().map_or(usize::MAX, |memory| *memory as usize);
                    }
                    code = instance.module.code(index);
                    regs = Window::new(&mut state.stack, base as usize, code.registers as usize);
                }};
            }
            macro_rules! call {
                ($address:expr, $at:expr) => {{
                    let address: u32 = $address;
                    let callee_base = base + u32::from($at);
                    match linked.functions[address as usize].body {
                        Body::Code(of, index) => {
                            spend!();
                            if state.frames.len() >= deepest {
                                stop!(Stop::Trap(Trap::StackOverflow));
                            }
                            if let Some(frame) = state.frames.last_mut() {
                                frame.pc = pc as u32 + 1;
                            }
                            function = address;
                            base = callee_base;
                            state.frames.push(Frame { function, pc: 0, base });
                            if of != number {
                                number = of;
                                instance = &linked.instances[number as usize];
                                memory = instance.memories.first().map_or(usize::MAX, |memory| *memory as usize);
                            }
                            code = instance.module.code(index);
                            reserve(state, domain, base as usize + code.registers as usize);
                            regs = Window::new(&mut state.stack, base as usize, code.registers as usize);
                            for (local, ty) in &code.zeroed {
                                regs.set(*local, domain.constant(*ty, 0));
                            }
                            observer.enter(function, state.frames.len(), code, base, number);
                            pc = 0;
                            continue;
                        }
                        Body::Host(host_function) => {
                            state.work = work;
                            if let Some(frame) = state.frames.last_mut() {
                                frame.pc = pc as u32 + 1;
                            }
                            let answer =
                                host::call(state, domain, imports, observer, at!(), address, host_function, 0, callee_base as usize);
                            work = state.work;
                            match answer {
                                Ok(false) => {
                                    pc += 1;
                                    // The host may have instantiated or removed something; then the linked part is another one.
                                    if !std::ptr::eq(&raw const *state.linked, linked) {
                                        return Stop::Switch;
                                    }
                                    reserve(state, domain, base as usize + code.registers as usize);
                                    regs = Window::new(&mut state.stack, base as usize, code.registers as usize);
                                    continue;
                                }
                                Ok(true) => return Stop::Switch,
                                Err(trap) => stop!(Stop::Trap(trap)),
                            }
                        }
                    }
                }};
            }
            // Results stand at the frame's base: where the caller expects them.
            macro_rules! leave {
                ($count:expr) => {{
                    let count: u16 = $count;
                    observer.leave(state.frames.len(), count);
                    state.frames.pop();
                    let outside = match state.frames.last() {
                        None => true,
                        Some(frame) => matches!(linked.functions[frame.function as usize].body, Body::Host(_)),
                    };
                    if outside {
                        state.work = work;
                        let base = base as usize;
                        state.results.clear();
                        state.results.extend_from_slice(&state.stack[base..base + usize::from(count)]);
                        return Stop::Switch;
                    }
                    reload!();
                    continue;
                }};
            }

            loop {
                if D::PAUSES && !state.marks.is_empty() {
                    if moved && marked(&state.marks, state.frames.len() as u32, at!()) {
                        stop!(Stop::Paused);
                    }
                    moved = true;
                }
                debug_assert!(pc < code.instrs.len());
                // SAFETY: jumps go to instructions of the same code, and the last instruction of a function never falls through.
                let instr = unsafe { *code.instrs.get_unchecked(pc) };
                if O::INSTRUCTIONS {
                    observer.instruction(at!(), state.frames.len(), code, instr);
                }
                match instr {
                    $(Instr::$c { dst, a, b } => {
                        let value = check!(domain.binary(at!(), BinaryOp::$c, regs.get(a), regs.get(b)));
                        regs.set(dst, value);
                    })*
                    $(Instr::$ci { dst, a, imm } => {
                        let b = constant!($ct, imm);
                        let value = check!(domain.binary(at!(), BinaryOp::$c, regs.get(a), b));
                        regs.set(dst, value);
                    })*
                    $(Instr::$cb { a, b, target } => {
                        branch!(check!(domain.binary(at!(), BinaryOp::$c, regs.get(a), regs.get(b))), target);
                    })*
                    $(Instr::$cbi { a, imm, target } => {
                        branch!(
                            {
                                let b = constant!($ct, imm);
                                check!(domain.binary(at!(), BinaryOp::$c, regs.get(a), b))
                            },
                            target
                        );
                    })*
                    $(Instr::$i { dst, a, b } => {
                        let value = check!(domain.binary(at!(), BinaryOp::$i, regs.get(a), regs.get(b)));
                        regs.set(dst, value);
                    })*
                    $(Instr::$ii { dst, a, imm } => {
                        let b = constant!($it, imm);
                        let value = check!(domain.binary(at!(), BinaryOp::$i, regs.get(a), b));
                        regs.set(dst, value);
                    })*
                    $(Instr::$f { dst, a, b } => {
                        let value = check!(domain.binary(at!(), BinaryOp::$f, regs.get(a), regs.get(b)));
                        regs.set(dst, value);
                    })*
                    $(Instr::$u { dst, a } => {
                        let value = check!(domain.unary(at!(), UnaryOp::$u, regs.get(a)));
                        regs.set(dst, value);
                    })*
                    $(Instr::$l { dst, a, offset } => {
                        let address = regs.get(a);
                        if O::MEMORY {
                            let first = (domain.peek(address) & 0xffff_ffff) + u64::from(offset);
                            observer.access(at!(), Touched { written: false, memory: memory as u32, at: first, len: $lb });
                        }
                        let value = check!(domain.load(at!(), &state.memories[memory], LoadOp::$l, address, offset));
                        regs.set(dst, value);
                    })*
                    $(Instr::$s { a, b, offset } => {
                        let address = regs.get(a);
                        if O::MEMORY {
                            let first = (domain.peek(address) & 0xffff_ffff) + u64::from(offset);
                            observer.access(at!(), Touched { written: true, memory: memory as u32, at: first, len: $sb });
                        }
                        check!(domain.store(at!(), &mut state.memories[memory], StoreOp::$s, address, offset, regs.get(b)));
                    })*
                    Instr::Copy { dst, a } => regs.set(dst, regs.get(a)),
                    Instr::I32Const { dst, imm } => {
                        regs.set(dst, domain.literal(at!(), Type::I32, immediate(Type::I32, imm)));
                    }
                    Instr::I64Const { dst, imm } => regs.set(dst, constant!(I64, imm)),
                    Instr::Const { dst, pool } => {
                        let constant = code.pool[pool as usize];
                        regs.set(dst, domain.constant(constant.ty, constant.bits));
                    }
                    Instr::Jump { pc: to } => jump!(to),
                    Instr::BrIf { a, target } => branch!(regs.get(a), target),
                    Instr::BrI32Eqz { a, target } => branch!(check!(domain.unary(at!(), UnaryOp::I32Eqz, regs.get(a))), target),
                    Instr::BrI64Eqz { a, target } => branch!(check!(domain.unary(at!(), UnaryOp::I64Eqz, regs.get(a))), target),
                    Instr::BrTable { a, len } => {
                        let outcome = match state.forced {
                            Some(outcome) if D::PAUSES => {
                                state.forced = None;
                                outcome
                            }
                            _ => match domain.switch(at!(), regs.get(a), len) {
                                Decision::Take(outcome) => outcome,
                                Decision::Fail(trap) => stop!(Stop::Trap(trap)),
                                Decision::Suspend => stop!(Stop::Suspended(at!(), regs.get(a), len)),
                            },
                        };
                        observer.branch(at!(), code, outcome);
                        pc += 1 + outcome as usize;
                        continue;
                    }
                    Instr::Select { dst, condition, a, b } => {
                        let value = domain.select(at!(), regs.get(condition), regs.get(a), regs.get(b));
                        regs.set(dst, value);
                    }
                    Instr::SelectBranch { dst, condition, a, b } => {
                        let value = if decide!(regs.get(condition)) { regs.get(a) } else { regs.get(b) };
                        regs.set(dst, value);
                    }
                    Instr::Call { at, function: callee, .. } => call!(instance.functions[callee as usize], at),
                    Instr::CallIndirect { a, at, call } => {
                        let call = code.indirect[call as usize];
                        let index = check!(domain.concretise(at!(), regs.get(a))) as u32 as usize;
                        let table = &state.tables[instance.tables[call.table as usize] as usize];
                        let address = match table.entries.get(index) {
                            None => stop!(Stop::Trap(Trap::UndefinedElement)),
                            Some(0) => stop!(Stop::Trap(Trap::NullCall)),
                            Some(reference) => (*reference - 1) as u32,
                        };
                        if linked.functions[address as usize].ty != instance.types[call.ty as usize] {
                            stop!(Stop::Trap(Trap::SignatureMismatch));
                        }
                        call!(address, at)
                    }
                    Instr::Invoke { at, call } => {
                        let call = code.indirect[call as usize];
                        let index = check!(domain.concretise(at!(), regs.get(at))) as u32 as usize;
                        let table = &state.tables[instance.tables[call.table as usize] as usize];
                        let address = match table.entries.get(index) {
                            None => stop!(Stop::Trap(Trap::UndefinedElement)),
                            Some(0) => stop!(Stop::Trap(Trap::NullCall)),
                            Some(reference) => (*reference - 1) as u32,
                        };
                        if linked.functions[address as usize].ty != instance.types[call.ty as usize] {
                            stop!(Stop::Trap(Trap::SignatureMismatch));
                        }
                        if let Some((global, _)) = instance.module.stack {
                            regs.set(at, state.globals[instance.globals[usize::from(global)] as usize]);
                        }
                        call!(address, at + 1)
                    }
                    Instr::Unwind => {
                        let Some(catcher) = catcher(linked, &state.frames) else { stop!(Stop::Trap(Trap::Unreachable)) };
                        // Calls below the one where two sides meet must not be left on one of them.
                        if D::PAUSES && leaves(&state.marks, catcher as u32 + 1) {
                            stop!(Stop::Trap(Trap::Domain));
                        }
                        for open in (catcher + 2..=state.frames.len()).rev() {
                            observer.leave(open, 0);
                        }
                        state.frames.truncate(catcher + 1);
                        reload!();
                        if let Instr::Invoke { at, call } = code.instrs[pc - 1] {
                            if let Some((global, _)) = instance.module.stack {
                                state.globals[instance.globals[usize::from(global)] as usize] = regs.get(at);
                            }
                            let ty = &instance.module.types[code.indirect[call as usize].ty as usize];
                            if let Some(result) = ty.results.first() {
                                regs.set(at + 1, domain.constant(*result, 0));
                            }
                        }
                        continue;
                    }
                    Instr::Caught { dst } => {
                        let caught = catcher(linked, &state.frames).is_some();
                        regs.set(dst, domain.constant(Type::I32, u64::from(caught)));
                    }
                    Instr::Thrown => {
                        if let Some(frame) = state.frames.last_mut() {
                            frame.pc = pc as u32;
                        }
                        state.thrown = Some(state.frames.as_slice().into());
                    }
                    Instr::Return0 => leave!(0),
                    Instr::Return1 { a } => {
                        regs.set(0, regs.get(a));
                        leave!(1)
                    }
                    Instr::Return { first, len } => {
                        for i in 0..len {
                            regs.set(i, regs.get(first + i));
                        }
                        leave!(len)
                    }
                    Instr::GlobalGet { dst, global } => {
                        regs.set(dst, state.globals[instance.globals[global as usize] as usize]);
                    }
                    Instr::GlobalSet { a, global } => {
                        state.globals[instance.globals[global as usize] as usize] = regs.get(a);
                    }
                    Instr::Loop => spend!(),
                    Instr::Unreachable => stop!(Stop::Trap(Trap::Unreachable)),
                    Instr::Block { site } => observer.block(site),
                    _ => {
                        if O::MEMORY {
                            ranges(observer, domain, at!(), memory as u32, instr, |reg| regs.get(reg));
                        }
                        let units = check!(bulk::execute(state, domain, instance, at!(), base as usize, instr));
                        spend!(units);
                    }
                }
                pc += 1;
            }
        }
    };
}
with_ops!(define_run);

/// The bits of an immediate.
#[inline(always)]
fn immediate(ty: Type, imm: i32) -> u64 {
    if ty == Type::I32 { u64::from(imm as u32) } else { i64::from(imm) as u64 }
}

/// Lets the stack hold at least this many registers.
#[inline(always)]
fn reserve<D: Domain>(state: &mut State<D>, domain: &mut D, needed: usize) {
    if state.stack.len() < needed {
        grow(state, domain, needed);
    }
}

#[cold]
fn grow<D: Domain>(state: &mut State<D>, domain: &mut D, needed: usize) {
    let zero = domain.constant(Type::I32, 0);
    state.stack.resize((needed * 2).max(256), zero);
}

#[cold]
fn marked(marks: &[Mark], open: u32, here: Position) -> bool {
    marks.iter().any(|mark| match *mark {
        Mark::At(frames, position) => frames == open && position == here,
        Mark::Return(frames) => open < frames,
    })
}

/// Whether a mark lies in a call beyond the first `open` ones.
#[cold]
fn leaves(marks: &[Mark], open: u32) -> bool {
    marks.iter().any(|mark| match *mark {
        Mark::At(frames, _) | Mark::Return(frames) => open < frames,
    })
}

/// Tells an observer which bytes a range instruction touches.
fn ranges<D: Domain, O: Observer>(
    observer: &mut O,
    domain: &D,
    at: Position,
    memory: u32,
    instr: Instr,
    get: impl Fn(Reg) -> D::Value,
) {
    let number = |reg: Reg| domain.peek(get(reg)) & 0xffff_ffff;
    match instr {
        Instr::MemoryCopy { to, from, len } => {
            observer.access(at, Touched { written: false, memory, at: number(from), len: number(len) });
            observer.access(at, Touched { written: true, memory, at: number(to), len: number(len) });
        }
        Instr::MemoryFill { to, len, .. } | Instr::MemoryInit { to, len, .. } => {
            observer.access(at, Touched { written: true, memory, at: number(to), len: number(len) });
        }
        _ => {}
    }
}
