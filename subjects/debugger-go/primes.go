package main

import "fmt"

func isPrime(number int) bool {
	if number < 2 {
		return false
	}
	divisor := 2
	for divisor*divisor <= number {
		if number%divisor == 0 {
			return false
		}
		divisor = divisor + 1
	}
	return true
}

func main() {
	count := 0
	for number := 0; number < 20; number++ {
		if isPrime(number) {
			count = count + 1
		}
	}
	fmt.Println("primes:", count)
}
