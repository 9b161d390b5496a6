/* A small program that g++ refuses, below 5.7 MB of headers: what cpp_five.sh reduces. */
#include <boost/multi_index/ordered_index.hpp>
#include <boost/multi_index_container.hpp>
#include <range/v3/all.hpp>
#include <regex>

struct node {
    int value;
    node *next;
};

static int sum(node *first)
{
    int total = 0;
    for (node *at = first; at; at = at->next)
        total += at->value;
    return total;
}

template <class T> struct holder {
    T item;
    int get() const
    {
        static_assert(sizeof(T) != 24, "holder of 24 bytes");
        return 1;
    }
};

struct three {
    double a, b, c;
};

int main()
{
    holder<three> h{};
    node n{1, nullptr};
    return sum(&n) + h.get();
}
