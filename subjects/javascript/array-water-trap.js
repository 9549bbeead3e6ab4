function trapped(heights) {
  let left = 0, right = heights.length - 1, water = 0, maxLeft = 0, maxRight = 0;
  while (left < right) {
    if (heights[left] < heights[right]) {
      maxLeft = Math.max(maxLeft, heights[left]);
      water += maxLeft - heights[left++];
    } else {
      maxRight = Math.max(maxRight, heights[right]);
      water += maxRight - heights[right--];
    }
  }
  return water;
}
console.log(trapped([0, 2, 0, 3, 0, 1]));
