import { useStandstill } from '../data/standstill.ts'
import { formatSpan } from '../format/times.ts'

/** Says on every page that the chain stands still, where it should not. */
export function StandstillNote() {
  const found = useStandstill()
  if (!found) return null
  const { seconds, usual, nodes, silent } = found
  const answering = nodes - silent.length
  return (
    <p class="failed" role="alert">
      <strong>No block for {formatSpan(seconds)}.</strong> Before, there was one every {formatUsual(usual)}.
      {nodes > 1 &&
        silent.length > 0 &&
        ` ${answering} of ${nodes} nodes answer: ${silent.join(', ')} ${silent.length === 1 ? 'does' : 'do'} not.`}
    </p>
  )
}

const formatUsual = (seconds: number) =>
  seconds < 10 ? `${Math.max(0.1, Math.round(seconds * 10) / 10)} s` : formatSpan(seconds)
