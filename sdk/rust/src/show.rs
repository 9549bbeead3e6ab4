//! Labelled values for reports: which inputs a run gets, and what it gave.

use crate::host;

/// What can be shown in a report.
pub trait Show {
    /// Tells the host that the next run gets this value.
    fn given(&self, name: &str);
    /// Tells the host that the run gave this value.
    fn output(&self, name: &str);
}

/// The next run gets this value, under the name of one of the relation's inputs.
pub fn given(name: &str, value: impl Show) {
    value.given(name);
}

/// The run that is open or ended last gave this value.
pub fn output(name: &str, value: impl Show) {
    value.output(name);
}

macro_rules! integers {
    ($($type:ty),*) => {$(
        impl Show for $type {
            fn given(&self, name: &str) {
                host::given_int(name, *self as i64);
            }
            fn output(&self, name: &str) {
                host::output_int(name, *self as i64);
            }
        }

        impl Show for [$type] {
            fn given(&self, name: &str) {
                host::given_ints(name, &self.iter().map(|it| *it as i64).collect::<Vec<_>>());
            }
            fn output(&self, name: &str) {
                host::output_ints(name, &self.iter().map(|it| *it as i64).collect::<Vec<_>>());
            }
        }
    )*};
}
integers!(i8, i16, i32, i64, isize, u16, u32, u64, usize, bool);

macro_rules! shown {
    ($($type:ty, $given:ident, $output:ident, $value:expr;)*) => {$(
        impl Show for $type {
            fn given(&self, name: &str) {
                host::$given(name, $value(self));
            }
            fn output(&self, name: &str) {
                host::$output(name, $value(self));
            }
        }
    )*};
}
shown! {
    u8, given_int, output_int, |it: &u8| i64::from(*it);
    f64, given_float, output_float, |it: &f64| *it;
    f32, given_float, output_float, |it: &f32| f64::from(*it);
    [f64], given_floats, output_floats, <[f64]>::as_ref;
    [u8], given_bytes, output_bytes, <[u8]>::as_ref;
    str, given_bytes, output_bytes, str::as_bytes;
    String, given_bytes, output_bytes, String::as_bytes;
}

impl<T> Show for Vec<T>
where
    [T]: Show,
{
    fn given(&self, name: &str) {
        self.as_slice().given(name);
    }
    fn output(&self, name: &str) {
        self.as_slice().output(name);
    }
}

impl<T: Show + ?Sized> Show for &T {
    fn given(&self, name: &str) {
        (**self).given(name);
    }
    fn output(&self, name: &str) {
        (**self).output(name);
    }
}
