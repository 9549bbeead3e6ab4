//! The one wasmtime engine that all modules share.

use std::sync::OnceLock;

use wasmtime::{Config, Engine, InstanceAllocationStrategy, PoolingAllocationConfig};

use crate::error::Error;

/// How much native stack a group may use. The limit on open calls normally ends a recursion long before.
pub(crate) const WASM_STACK: usize = 48 << 20;

/// How much stack is made where there is too little.
const STACK: usize = WASM_STACK + (4 << 20);

/// The engine.
pub(crate) fn engine() -> Result<&'static Engine, Error> {
    static ENGINE: OnceLock<Result<Engine, String>> = OnceLock::new();
    // A process that may not reserve much address space gets the slower allocator.
    let make = || Engine::new(&config(true)).or_else(|_| Engine::new(&config(false)));
    let engine = ENGINE.get_or_init(|| make().map_err(|error| format!("{error:#}")));
    engine.as_ref().map_err(|error| Error::Engine(error.clone()))
}

fn config(pooling: bool) -> Config {
    let mut config = Config::new();
    config.cranelift_nan_canonicalization(true);
    config.wasm_multi_memory(true);
    config.wasm_simd(true);
    config.wasm_tail_call(true);
    config.wasm_relaxed_simd(false);
    config.wasm_memory64(false);
    config.max_wasm_stack(WASM_STACK);
    config.async_stack_size(STACK);
    if pooling {
        let mut pool = PoolingAllocationConfig::new();
        pool.total_core_instances(1000);
        pool.total_memories(3000);
        pool.total_tables(1000);
        pool.max_memories_per_module(16);
        pool.max_tables_per_module(16);
        pool.max_core_instance_size(16 << 20);
        pool.table_elements(100_000);
        pool.max_memory_size(1 << 32);
        pool.max_unused_warm_slots(64);
        // Small memories are cleaned by hand: a system call costs more.
        pool.linear_memory_keep_resident(256 << 10);
        pool.table_keep_resident(16 << 10);
        config.allocation_strategy(InstanceAllocationStrategy::Pooling(pool));
    }
    config
}

/// Calls `action` with as much native stack as a group may use. Groups within it run directly; elsewhere each first moves
/// to a stack of its own, which costs more than most groups do.
pub fn with_stack<T>(action: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(WASM_STACK + (1 << 20), STACK, action)
}
