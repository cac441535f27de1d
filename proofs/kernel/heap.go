package kernel

// minHeap is a priority queue of numbers, the smallest first.
type minHeap []int

func (h *minHeap) push(x int) {
	*h = append(*h, x)
	for i := len(*h) - 1; i > 0 && (*h)[i] < (*h)[(i-1)/2]; i = (i - 1) / 2 {
		(*h)[i], (*h)[(i-1)/2] = (*h)[(i-1)/2], (*h)[i]
	}
}

func (h *minHeap) pop() int {
	list := *h
	top, last := list[0], len(list)-1
	list[0] = list[last]
	list = list[:last]
	for i := 0; 2*i+1 < last; {
		child := 2*i + 1
		if child+1 < last && list[child+1] < list[child] {
			child++
		}
		if list[i] <= list[child] {
			break
		}
		list[i], list[child] = list[child], list[i]
		i = child
	}
	*h = list
	return top
}
