import { useState } from 'preact/hooks'
import { type Hex, isAddress } from 'viem'
import { askOf } from '../../data/nodes.ts'
import { useSite } from '../../data/session.ts'
import { type Consensus, consensusMethods } from '../../data/validators.ts'
import { explain } from '../../parts/Notes.tsx'

type Kind = 'add' | 'remove' | 'discard'

const done: Readonly<Record<Kind, string>> = {
  add: 'Voted to add the validator: the vote goes into the next block that the node makes.',
  remove: 'Voted to remove the validator: the vote goes into the next block that the node makes.',
  discard: 'The vote is withdrawn. What is in the chain already stays until the epoch ends.',
}

/** Casts and withdraws votes through the shown node, or through all nodes of the network. */
export function VoteForm({
  consensus,
  validators,
  candidate,
  setCandidate,
  onVoted,
}: {
  consensus: Consensus
  validators: readonly Hex[]
  candidate: string
  setCandidate: (address: Hex) => void
  onVoted: () => void
}) {
  const { node, nodes } = useSite()
  const [everywhere, setEverywhere] = useState(false)
  const [outcome, setOutcome] = useState('')
  const known = isAddress(candidate, { strict: false })
  const isValidator = validators.some((one) => one.toLowerCase() === candidate.toLowerCase())

  async function vote(kind: Kind): Promise<void> {
    if (!known) return setOutcome('Enter an address: 0x and 40 hexadecimal digits.')
    const { propose, discard } = consensusMethods[consensus]
    const [method, params] = kind === 'discard' ? [discard, [candidate]] : [propose, [candidate, kind === 'add']]
    try {
      const chosen = everywhere ? nodes : [node]
      const answers = await Promise.allSettled(chosen.map((one) => askOf(one)(method, params)))
      const failed = answers.flatMap((answer, i) =>
        answer.status === 'rejected' ? [`${chosen[i]!.name}: ${explain(answer.reason as Error)}`] : [],
      )
      setOutcome([...(failed.length < chosen.length ? [done[kind]] : []), ...failed].join(' '))
      onVoted()
    } catch (error) {
      setOutcome(explain(error as Error))
    }
  }

  return (
    <form class="vote" onSubmit={(event) => event.preventDefault()}>
      <label>
        Vote on
        <input
          class="mono"
          placeholder="0x… address of a validator"
          spellcheck={false}
          value={candidate}
          onInput={(event) => setCandidate(event.currentTarget.value.trim() as Hex)}
        />
      </label>
      <div class="buttons">
        <button type="button" class="button" disabled={!known || isValidator} onClick={() => vote('add')}>
          Vote to add
        </button>
        <button type="button" class="button" disabled={!known || !isValidator} onClick={() => vote('remove')}>
          Vote to remove
        </button>
        <button type="button" class="button" disabled={!known} onClick={() => vote('discard')}>
          Withdraw
        </button>
      </div>
      {nodes.length > 1 && (
        <label class="check">
          <input
            type="checkbox"
            checked={everywhere}
            onChange={(event) => setEverywhere(event.currentTarget.checked)}
          />
          through all {nodes.length} nodes, not only {node.name}
        </label>
      )}
      <p class="outcome" role="status">
        {outcome}
      </p>
    </form>
  )
}
