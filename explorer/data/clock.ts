import { useEffect, useState } from 'preact/hooks'

const listeners = new Set<(now: number) => void>()
let timer: ReturnType<typeof setInterval> | undefined

const seconds = () => Math.floor(Date.now() / 1000)

/** The time in seconds, updated each second; all of the page tick together. */
export function useNow(): number {
  const [now, setNow] = useState(seconds)
  useEffect(() => {
    listeners.add(setNow)
    timer ??= setInterval(() => {
      for (const listener of listeners) listener(seconds())
    }, 1000)
    return () => {
      listeners.delete(setNow)
      if (listeners.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }, [])
  return now
}
