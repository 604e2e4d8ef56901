import { useState } from 'preact/hooks'
import type { Hex } from 'viem'
import { useHead } from '../../data/head.ts'
import { useNetworkState } from '../../data/networkState.ts'
import { useNodeNames } from '../../data/nodeNames.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { type Consensus, consensusMethods, loadVotes, type Proposal } from '../../data/validators.ts'
import { type ChainVotes, listCandidacies, outlookOf, outlookOfProposal } from '../../decode/voteOutlook.ts'
import { formatCount } from '../../format/numbers.ts'
import { formatSpan } from '../../format/times.ts'
import { Card } from '../../parts/Card.tsx'
import { NodeName } from '../../parts/NodeName.tsx'
import { Empty, Failed } from '../../parts/Notes.tsx'
import { Table } from '../../parts/Table.tsx'
import { VoteForm } from './VoteForm.tsx'

/** Votes in the chain and votes that nodes hold ready, each with what happens next. */
export function Votes({ consensus }: { consensus: Consensus }) {
  const { ask, node, nodes } = useSite()
  const { number } = useHead()
  const [voted, setVoted] = useState(0)
  const [candidate, setCandidate] = useState<Hex | ''>('')
  const { value, error } = useLoad(
    `votes ${node.path}`,
    async () => ({
      ...(await loadVotes(ask, consensus, nodes)),
      validators: await ask<readonly Hex[]>(consensusMethods[consensus].validators, ['latest']),
    }),
    `${number} ${voted}`,
  )
  if (value?.chain === null)
    return (
      <Card title="Votes">
        <Empty>A contract decides who the validators of this network are: nobody votes.</Empty>
      </Card>
    )
  const { proposals, validators = [] } = value ?? {}
  const chain = value?.chain ?? undefined
  return (
    <>
      <Card title="Votes in the chain" side={chain && <Needed chain={chain} />}>
        {error && !value ? (
          <Failed error={error} what="The votes" />
        ) : (
          <ChainTable chain={chain} validators={validators} onChoose={setCandidate} />
        )}
        {chain && <Epoch chain={chain} />}
      </Card>
      <Card title="Votes that nodes hold ready">
        <ProposalTable proposals={proposals} chain={chain} validators={validators} />
      </Card>
      <Card title="Vote">
        <VoteForm
          consensus={consensus}
          validators={validators}
          candidate={candidate}
          setCandidate={setCandidate}
          onVoted={() => setVoted(voted + 1)}
        />
      </Card>
    </>
  )
}

function Needed({ chain: { validators, needed } }: { chain: ChainVotes }) {
  return (
    <span class="soft number">
      {Number(needed)} of {Number(validators)} validators decide
    </span>
  )
}

function Epoch({ chain: { nextEpoch } }: { chain: ChainVotes }) {
  const { number } = useHead()
  const { state } = useNetworkState()
  const left = number === undefined ? undefined : Number(nextEpoch) - number
  const period = state?.period ?? state?.expectedPeriod
  return (
    <p class="soft">
      Votes that are not decided by block {formatCount(Number(nextEpoch))}
      {left !== undefined && period !== undefined && ` (in about ${formatSpan(left * period)})`} end there, and are cast
      again by the nodes that still hold them ready.
    </p>
  )
}

const isIn = (list: readonly Hex[], one: Hex) => list.some((other) => other.toLowerCase() === one.toLowerCase())

function ChainTable({
  chain,
  validators,
  onChoose,
}: {
  chain: ChainVotes | undefined
  validators: readonly Hex[]
  onChoose: (address: Hex) => void
}) {
  const names = useNodeNames()
  const columns = [
    { title: 'Account' },
    { title: 'To be' },
    { title: 'Votes' },
    { title: 'What happens next' },
    { title: 'Choose' },
  ]
  const rows =
    chain &&
    listCandidacies(chain).map((one) => ({
      key: `${one.subject} ${one.add}`,
      cells: [
        <NodeName key="subject" address={one.subject} />,
        <span key="add" class={`tag ${one.add ? 'good' : 'bad'}`}>
          {one.add ? 'added' : 'removed'}
        </span>,
        <span key="voters" title={one.voters.join(', ')}>
          {one.voters.length} of {Number(chain.needed)}:{' '}
          {one.voters.map((voter) => names.get(voter.toLowerCase()) ?? `${voter.slice(0, 8)}…`).join(', ')}
        </span>,
        outlookOf(one, isIn(validators, one.subject)),
        <button key="choose" type="button" class="button small" onClick={() => onChoose(one.subject)}>
          Vote<span class="visually-hidden"> on {one.subject}</span>
        </button>,
      ],
    }))
  if (rows?.length === 0) return <Empty>Nobody is voted on.</Empty>
  return <Table label="Votes in the chain" columns={columns} rows={rows} expected={2} />
}

function ProposalTable({
  proposals,
  chain,
  validators,
}: {
  proposals: readonly Proposal[] | undefined
  chain: ChainVotes | undefined
  validators: readonly Hex[]
}) {
  const { state } = useNetworkState()
  const voterOf = ({ node }: Proposal) =>
    state?.nodes?.find(({ name }) => name === node.name)?.address as Hex | undefined
  const columns = [{ title: 'Node' }, { title: 'Account' }, { title: 'To be' }, { title: 'What becomes of it' }]
  const rows =
    chain &&
    proposals?.map((one) => ({
      key: `${one.node.path} ${one.subject}`,
      cells: [
        one.node.name,
        <NodeName key="subject" address={one.subject} />,
        <span key="add" class={`tag ${one.add ? 'good' : 'bad'}`}>
          {one.add ? 'added' : 'removed'}
        </span>,
        outlookOfProposal({ ...one, voter: voterOf(one) }, chain, validators),
      ],
    }))
  if (rows?.length === 0) return <Empty>No node that this page knows votes.</Empty>
  return <Table label="Votes that nodes hold ready" columns={columns} rows={rows} expected={2} />
}
