package main

import "fmt"

func counter(step int) func() int {
	count := 0
	return func() int {
		count = count + step
		return count
	}
}

func main() {
	next := counter(3)
	sum := 0
	for round := 0; round < 3; round++ {
		sum = sum + next()
	}
	fmt.Println(sum)
}
