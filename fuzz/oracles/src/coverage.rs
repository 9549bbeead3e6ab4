//! Coverage of other tools: any bytes are answered in every format, and the same bytes are answered alike.

use twinrun_localize::coverage::parse;
use twinrun_subject::command::CoverageFormat;

/// The bytes are coverage of one run.
pub fn coverage(data: &[u8]) {
    for format in [CoverageFormat::Gcov, CoverageFormat::Lcov, CoverageFormat::LlvmCov] {
        let read = parse(format, data);
        assert_eq!(read, parse(format, data));
        match read {
            Ok(files) => {
                assert!(files.iter().any(|file| !file.lines.is_empty()), "nothing covered is no coverage");
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}
