#pragma once
#include <map>
#include <string>

/* How many pieces of each article there are. */
class Inventory {
public:
    void add(const std::string &article, int pieces);
    /* Takes what is there, at most `pieces`; says how many. */
    int take(const std::string &article, int pieces);
    int total() const;

private:
    std::map<std::string, int> stock;
};
