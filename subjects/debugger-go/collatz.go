package main

import "fmt"

func length(start int) int {
	steps := 1
	for start != 1 {
		if start%2 == 0 {
			start = start / 2
		} else {
			start = 3*start + 1
		}
		steps = steps + 1
	}
	return steps
}

func main() {
	best := 0
	longest := 0
	for number := 1; number < 12; number++ {
		steps := length(number)
		if steps > longest {
			longest = steps
			best = number
		}
	}
	fmt.Println(best, longest)
}
