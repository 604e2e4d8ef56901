/** At most `count` block numbers from 0 to the head, evenly spread, both ends among them. */
export function spreadBlocks(head: number, count: number): readonly number[] {
  if (head < count) return Array.from({ length: head + 1 }, (_, i) => i)
  return Array.from({ length: count }, (_, i) => Math.round((head * i) / (count - 1)))
}
