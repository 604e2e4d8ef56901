import { useState } from 'preact/hooks'
import type { Hex } from 'viem'
import { useHead } from '../../data/head.ts'
import type { Block } from '../../data/objects.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { readExtraData } from '../../decode/extraData.ts'
import { countMissedTurns } from '../../decode/missedTurns.ts'
import { formatCount } from '../../format/numbers.ts'
import { Card } from '../../parts/Card.tsx'
import { AddressLink, BlockLink } from '../../parts/Links.tsx'
import { Failed } from '../../parts/Notes.tsx'
import { Table } from '../../parts/Table.tsx'
import { VoteForm } from './VoteForm.tsx'
import { type Consensus, consensusMethods, loadValidators, type ValidatorState } from './validators.ts'

/** The validators of a network with QBFT, IBFT 2.0 or Clique; nothing on others. */
export function Validators({ blocks }: { blocks: readonly Block[] | undefined }) {
  const { namespaces } = useSite()
  const head = blocks?.at(-1)
  if (!blocks || !head || Number(head.number) === 0) return null
  const { kind } = readExtraData(head.extraData)
  if (kind === 'other') return null
  const { name, namespace } = consensusMethods[kind]
  if (!namespaces.has(namespace))
    return (
      <Card title="Validators">
        <p class="empty">
          This network runs {name}. Validators and votes are shown when the node serves the namespace {namespace}.
        </p>
      </Card>
    )
  return <ValidatorCard consensus={kind} blocks={blocks} />
}

function ValidatorCard({ consensus, blocks }: { consensus: Consensus; blocks: readonly Block[] }) {
  const { ask, node, nodes } = useSite()
  const { number } = useHead()
  const [voted, setVoted] = useState(0)
  const load = () => loadValidators(ask, consensus, nodes)
  const { value, error } = useLoad(`validators ${node.path}`, load, `${number} ${voted}`)
  const { name } = consensusMethods[consensus]
  const [candidate, setCandidate] = useState<Hex | ''>('')
  return (
    <Card title="Validators" side={<span class="soft">{name}, last 100 blocks</span>}>
      {error ? (
        <Failed error={error} what="The list of validators" />
      ) : (
        <List {...{ consensus, value, blocks, setCandidate }} />
      )}
      <VoteForm
        consensus={consensus}
        validators={value?.validators ?? []}
        candidate={candidate}
        setCandidate={setCandidate}
        onVoted={() => setVoted(voted + 1)}
      />
    </Card>
  )
}

function countVotes(value: ValidatorState, address: Hex): { readonly add: number; readonly remove: number } {
  const votes = value.votes.flatMap(({ votes }) =>
    Object.entries(votes).flatMap(([of, add]) => (of.toLowerCase() === address ? [add] : [])),
  )
  return { add: votes.filter(Boolean).length, remove: votes.filter((add) => !add).length }
}

function Votes({ add, remove }: { add: number; remove: number }) {
  if (add + remove === 0) return <span class="soft">none</span>
  return (
    <>
      {add > 0 && <span class="tag good">{add} to add</span>}{' '}
      {remove > 0 && <span class="tag bad">{remove} to remove</span>}
    </>
  )
}

function List({
  consensus,
  value,
  blocks,
  setCandidate,
}: {
  consensus: Consensus
  value: ValidatorState | undefined
  blocks: readonly Block[]
  setCandidate: (address: Hex) => void
}) {
  const rounded = blocks.flatMap(({ miner, extraData }) => {
    const extra = readExtraData(extraData)
    return 'round' in extra ? [{ proposer: miner, round: extra.round }] : []
  })
  const validators = value?.validators.map((one) => one.toLowerCase() as Hex)
  const missed = countMissedTurns(validators ?? [], rounded)
  const candidates = new Set(
    value?.votes.flatMap(({ votes }) => Object.keys(votes).map((of) => of.toLowerCase() as Hex)),
  )
  const listed = validators && [...validators, ...[...candidates].filter((one) => !validators.includes(one))]
  const rows = listed?.map((address) => {
    const metrics = value?.metrics.find((one) => one.address.toLowerCase() === address)
    const turns = missed.get(address) ?? 0
    const last = Number(metrics?.lastProposedBlockNumber ?? 0)
    return {
      key: address,
      cells: [
        <span key="address" class="pair">
          <AddressLink address={address} />
          {!validators?.includes(address) && <span class="tag">candidate</span>}
        </span>,
        formatCount(Number(metrics?.proposedBlockCount ?? 0)),
        last > 0 ? <BlockLink key="last" number={last} /> : 'none',
        ...(consensus === 'clique'
          ? []
          : [
              turns > 0 ? (
                <span key="turns" class="tag bad">
                  {turns}
                </span>
              ) : (
                '0'
              ),
            ]),
        <Votes key="votes" {...countVotes(value!, address)} />,
        <button key="vote" type="button" class="button small" onClick={() => setCandidate(address)}>
          Vote<span class="visually-hidden"> on {address}</span>
        </button>,
      ],
    }
  })
  const columns = [
    { title: 'Validator' },
    { title: 'Proposed', numeric: true },
    { title: 'Last proposed', numeric: true, minor: true },
    ...(consensus === 'clique' ? [] : [{ title: 'Turns missed', numeric: true }]),
    { title: 'Pending votes' },
    { title: 'Vote' },
  ]
  return <Table label="Validators" columns={columns} rows={rows} expected={4} />
}
