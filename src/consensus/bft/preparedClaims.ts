import { equalBytes, type Hash32 } from '../../primitives/bytes.ts'
import type { PreparedClaim, RoundChangePayload, Signed } from './messages.ts'

/** The claim of the latest round, whose block must be proposed again. */
export function latestClaim(changes: readonly Signed<RoundChangePayload>[]): PreparedClaim | undefined {
  let latest: PreparedClaim | undefined
  for (const { payload } of changes)
    if (payload.claim && (!latest || payload.claim.round > latest.round)) latest = payload.claim
  return latest
}

/** Whether all claims of the same round are about the same block. */
export function doClaimsAgree(changes: readonly Signed<RoundChangePayload>[]): boolean {
  const digests = new Map<number, Hash32>()
  return changes.every(({ payload: { claim } }) => {
    if (!claim) return true
    const known = digests.get(claim.round) ?? claim.digest
    digests.set(claim.round, known)
    return equalBytes(known, claim.digest)
  })
}
