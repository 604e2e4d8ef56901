/** Applies a function to a value: at once if it is here, later if it is promised. */
export function andThen<T, R>(value: T | Promise<T>, apply: (value: T) => R): R | Promise<Awaited<R>> {
  return value instanceof Promise ? (value.then(apply) as Promise<Awaited<R>>) : apply(value)
}
