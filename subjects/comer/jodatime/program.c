/* A date moved on by weeks, days and seconds, field by field. */
typedef struct {
    int year, month, day, hour, minute, second, millisecond;
} Date;

Date move_on(Date date, int weeks, int days, long seconds);

static int is_leap(int year) {
    if (year % 400 == 0)
        return 1;
    if (year % 100 == 0)
        return 0;
    return year % 4 == 0;
}

static int days_of(int year, int month) {
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (month == 2 && is_leap(year))
        return 29;
    return days[month - 1];
}

static Date add_days(Date date, int days) {
    date.day += days;
    while (date.day > days_of(date.year, date.month)) {
        date.day -= days_of(date.year, date.month);
        date.month++;
        if (date.month > 12) {
            date.month = 1;
            date.year++;
        }
    }
    return date;
}

static Date add_seconds(Date date, long seconds) {
    long total = date.hour * 3600L + date.minute * 60L + date.second + seconds;
    long days = total / 86400;
    long rest = total % 86400;
    date.hour = (int)(rest / 3600);
    date.minute = (int)(rest % 3600 / 60);
    date.second = (int)(rest % 60);
    return add_days(date, (int)days);
}

Date move_on(Date date, int weeks, int days, long seconds) {
    if (weeks > 0)
        date = add_days(date, weeks * 7);
    if (days > 0)
        date = add_days(date, days);
    if (seconds > 0)
        date = add_seconds(date, seconds);
    return date;
}
