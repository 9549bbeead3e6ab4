#include "inventory.hpp"

void Inventory::add(const std::string &article, int pieces) {
    if (pieces > 0) stock[article] += pieces;
}

int Inventory::take(const std::string &article, int pieces) {
    auto found = stock.find(article);
    if (found == stock.end() || pieces <= 0) return 0;
    int taken = pieces < found->second ? pieces : found->second;
    found->second -= taken;
    /* A fault to be found with `twinrun test`: the article is dropped when one piece is left. Fix it with `== 0`. */
    if (found->second <= 1) stock.erase(found);
    return taken;
}

int Inventory::total() const {
    int sum = 0;
    for (const auto &entry : stock) sum += entry.second;
    return sum;
}
