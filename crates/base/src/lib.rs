//! The words of Twinrun as plain data: no input, no output.
