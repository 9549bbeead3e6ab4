static int f_nc(double a, double b) { return !(a < b) && !(a >= b); }
RELATION(nan_compare) { static const double T[5] = {0.0, -0.0, 1.0, __builtin_inf(), __builtin_nan("")}; int i = tw_choice("i", 5), j = tw_choice("j", 5); CHECK_EQ(RUN(f_nc(T[i], T[j])), RUN(f_nc(T[i], T[i]))); }
