#include "inbox/filter/node.h"

#include <array>

namespace alfred::inbox {
namespace {

constexpr std::array kOperators{
    OperatorRow{"||", Operator::either, 10},   OperatorRow{"&&", Operator::both, 10},
    OperatorRow{"==", Operator::equal, 20},    OperatorRow{"!=", Operator::unequal, 20},
    OperatorRow{"<", Operator::less, 20},      OperatorRow{"<=", Operator::at_most, 20},
    OperatorRow{">", Operator::more, 20},      OperatorRow{">=", Operator::at_least, 20},
    OperatorRow{"in", Operator::in, 20},       OperatorRow{"+", Operator::add, 30},
    OperatorRow{"-", Operator::subtract, 30},  OperatorRow{"*", Operator::multiply, 40},
    OperatorRow{"/", Operator::divide, 40},    OperatorRow{"//", Operator::floor_divide, 40},
    OperatorRow{"%", Operator::remainder, 50}, OperatorRow{"^", Operator::power, 50},
};

constexpr std::array kFunctions{
    FunctionRow{"contains", Function::contains, 2, 2},
    FunctionRow{"startsWith", Function::starts_with, 2, 2},
    FunctionRow{"endsWith", Function::ends_with, 2, 2},
    FunctionRow{"format", Function::format, 1, 20},
    FunctionRow{"join", Function::join, 1, 2},
    FunctionRow{"matches", Function::matches, 2, 2},
    FunctionRow{"glob", Function::glob, 2, 2},
    FunctionRow{"exists", Function::exists, 1, 1},
};

}  // namespace

std::span<const OperatorRow> operators() { return kOperators; }
std::span<const FunctionRow> functions() { return kFunctions; }

}  // namespace alfred::inbox
