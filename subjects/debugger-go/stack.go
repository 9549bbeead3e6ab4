package main

import "fmt"

type Stack struct {
	items []int
	size  int
}

func (stack *Stack) push(item int) {
	stack.items = append(stack.items, item)
	stack.size = stack.size + 1
}

func (stack *Stack) pop() int {
	last := stack.size - 1
	item := stack.items[last]
	stack.items = stack.items[:last]
	stack.size = last
	return item
}

func main() {
	stack := &Stack{}
	for number := 1; number <= 4; number++ {
		stack.push(number * number)
	}
	sum := 0
	for stack.size > 0 {
		sum = sum + stack.pop()
	}
	fmt.Println(sum)
}
