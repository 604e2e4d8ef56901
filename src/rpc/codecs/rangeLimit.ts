/** Accounts or slots that one answer holds at most: a caller who wants more goes on from `nextKey`. */
export const rangeLimit = 65_536
