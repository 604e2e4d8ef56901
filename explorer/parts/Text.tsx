import { useState } from 'preact/hooks'
import { formatCount } from '../format/numbers.ts'
import { cutText, maxShown, revealHidden } from '../format/safeText.ts'

const step = 50_000

/** Below so many characters a text is a label, in links and tables: what is longer is cut for good. */
const labels = 100

/** Text of strangers: as text only, apart from the writing direction around it, and cut where it is long. */
export function Text({ value, max = maxShown, code = false }: { value: string; max?: number; code?: boolean }) {
  const [limit, setLimit] = useState(max)
  const { shown, left } = cutText(value, limit)
  return (
    <span class={code ? 'mono wrap' : 'wrap'}>
      <bdi>{revealHidden(shown)}</bdi>
      {left > 0 && max < labels && '…'}
      {left > 0 && max >= labels && (
        <>
          {'… '}
          <button type="button" class="link" onClick={() => setLimit(limit + step)}>
            {formatCount(left)} more characters
          </button>
        </>
      )}
    </span>
  )
}
