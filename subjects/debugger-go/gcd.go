package main

import "fmt"

func gcd(a int, b int) int {
	steps := 0
	for b != 0 {
		rest := a % b
		a = b
		b = rest
		steps = steps + 1
	}
	if steps > 100 {
		return 0
	}
	return a
}

func main() {
	first := 84
	second := 36
	answer := gcd(first, second)
	fmt.Println(answer)
}
