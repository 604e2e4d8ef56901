import { useNow } from '../data/clock.ts'
import { formatAge, formatTime } from '../format/times.ts'

/** How long ago something was, with the exact time on hover. */
export function Age({ timestamp }: { timestamp: number }) {
  const now = useNow()
  const exact = formatTime(timestamp)
  return (
    <time dateTime={exact.replace(' UTC', 'Z').replace(' ', 'T')} title={exact} data-value={exact} class="age">
      {formatAge(timestamp, now)}
    </time>
  )
}
