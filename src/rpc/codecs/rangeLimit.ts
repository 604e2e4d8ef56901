/** Maximum number of accounts or slots in a response; callers continue from `nextKey`. */
export const rangeLimit = 65_536
