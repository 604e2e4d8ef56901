import { useEffect, useRef, useState } from 'preact/hooks'

/** What is known of something that has to be asked for. */
export interface Loaded<T> {
  readonly value: T | undefined
  readonly error: Error | undefined
}

interface Kept<T> extends Loaded<T> {
  readonly key: string
}

/**
 * Loads a value. Another key is another value: the old one goes at once. A change of `fresh` loads the same again, and what was
 * loaded before stays until then, so that nothing jumps.
 */
export function useLoad<T>(key: string, load: () => Promise<T>, fresh: unknown = undefined): Loaded<T> {
  const [kept, setKept] = useState<Kept<T>>({ key, value: undefined, error: undefined })
  const latest = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `load` is new at each rendering; the key says what it loads.
  useEffect(() => {
    const turn = ++latest.current
    const keep = (value: T | undefined, error: Error | undefined) => {
      if (turn === latest.current) setKept({ key, value, error })
    }
    load().then(
      (value) => keep(value, undefined),
      (error: unknown) => keep(undefined, error instanceof Error ? error : new Error(String(error))),
    )
    return () => {
      // Answers that come after the page has gone are dropped.
      latest.current++
    }
  }, [key, fresh])
  return kept.key === key ? kept : { value: undefined, error: undefined }
}
