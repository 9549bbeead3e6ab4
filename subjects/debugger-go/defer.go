package main

import "fmt"

func guarded(divisor int) (answer int) {
	defer func() {
		if problem := recover(); problem != nil {
			answer = -1
		}
	}()
	whole := 12
	answer = whole / divisor
	return answer
}

func main() {
	total := 0
	for divisor := 0; divisor < 4; divisor++ {
		part := guarded(divisor)
		total = total + part
	}
	fmt.Println("total", total)
}
