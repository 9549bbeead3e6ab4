int decoding_ways(const char *digits);
