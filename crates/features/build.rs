//! Does nothing. Without a build script the features of build dependencies would not be unified.

fn main() {}
