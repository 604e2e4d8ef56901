import { type Address, keyOf } from '../../primitives/bytes.ts'
import { toHex } from '../../primitives/hex.ts'
import { createRecentMap } from '../../primitives/recentMap.ts'
import type { Clock } from '../../system/clock.ts'
import type { Logger } from '../../system/logger.ts'
import type { ProposalFlaw, ProposerReport } from '../producing/producer.ts'
import type { BftEffect } from './machine.ts'

/** Tells an operator of proposers who propose what is invalid, or nothing, and remembers them. */
export interface ProposerLog {
  invalid(effect: Extract<BftEffect, { type: 'invalid' }>): void
  turn(effect: Extract<BftEffect, { type: 'turn' }>): void
  report(): ProposerReport
}

const remembered = 1024
/** Milliseconds between two warnings of one proposer: its turn may come each second. */
const warnEvery = 60_000

export function createProposerLog(log: Logger, clock: Clock): ProposerLog {
  const warnedAt = createRecentMap<string, number>(remembered)
  const passedOver = createRecentMap<string, Address>(remembered)
  const flaws = createRecentMap<string, ProposalFlaw>(remembered)

  function isDue(proposer: string): boolean {
    const now = clock.now()
    if (Math.abs(now - (warnedAt.use(proposer) ?? Number.NEGATIVE_INFINITY)) < warnEvery) return false
    warnedAt.set(proposer, now)
    return true
  }

  const shown = (author: Address, height: bigint) => ({ proposer: toHex(author), number: Number(height) })

  return {
    invalid({ kind, author, height, round, flaw: { reason, secondsAhead } }) {
      if (kind === 'proposal') flaws.set(keyOf(author), { proposer: author, reason, secondsAhead, at: clock.now() })
      if (!isDue(toHex(author))) return
      const fields = { ...shown(author, height), round, reason }
      if (kind === 'roundChange') log.warn(fields, 'invalid block in a round change of {proposer}: {reason}')
      else if (secondsAhead === undefined) log.warn(fields, 'invalid proposal of {proposer}: {reason}')
      else
        log.warn(
          { ...fields, seconds: secondsAhead },
          'proposal of {proposer} is {seconds} s in the future: its clock or ours is wrong',
        )
    },
    turn({ author, height, isTaken }) {
      const fields = shown(author, height)
      const wasPassedOver = isTaken ? passedOver.delete(keyOf(author)) : passedOver.get(keyOf(author)) !== undefined
      if (isTaken) flaws.delete(keyOf(author))
      else passedOver.set(keyOf(author), author)
      if (!isTaken && !wasPassedOver)
        log.info(fields, '{proposer} is silent: its turns are passed over until it proposes')
      if (isTaken && wasPassedOver) log.info(fields, '{proposer} proposes again')
    },
    report: () => ({ silent: [...passedOver.values()], flaws: [...flaws.values()] }),
  }
}
