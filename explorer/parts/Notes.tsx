import type { ComponentChildren } from 'preact'
import { LoginNeeded, RpcError } from '../data/rpc.ts'
import { Text } from './Text.tsx'

/** Something that is empty, in words. */
export function Empty({ children }: { children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}

/** What went wrong, in words. */
export function explain(error: Error): string {
  if (error instanceof LoginNeeded) return 'Please log in to see this.'
  if (!(error instanceof RpcError)) return error.message
  if (error.code === -32604 || error.code === -32601)
    return 'This node does not serve the method that this part needs. The operator can enable its namespace.'
  if (/unauthorized/i.test(error.message)) return 'Your user may not see this, or not do it.'
  return error.message
}

/** Something that could not be had, in words. */
export function Failed({ error, what }: { error: Error; what: string }) {
  return (
    <p class="failed" role="status">
      <strong>{what} cannot be shown.</strong> <Text value={explain(error)} max={500} />
    </p>
  )
}

/** Room for lines that are being loaded. */
export function Waiting({ lines = 1 }: { lines?: number }) {
  return (
    <span class="waiting" role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} class="bone" />
      ))}
    </span>
  )
}
