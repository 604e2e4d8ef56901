/** Candidates similar to a mistyped word, most similar first, at most four. */
export function suggest(word: string, candidates: readonly string[]): string[] {
  const limit = word.length < 5 ? 1 : Math.max(2, Math.floor(word.length / 4))
  return candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= limit || (word.length > 5 && candidate.startsWith(word)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 4)
    .map(({ candidate }) => candidate)
}

/** Number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`. */
export function editDistance(a: string, b: string): number {
  let older: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let best = Math.min(replaced, previous[j]! + 1, row[j - 1]! + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, older[j - 2]! + 1)
      row.push(best)
    }
    older = previous
    previous = row
  }
  return previous[b.length]!
}
