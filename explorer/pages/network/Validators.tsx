import type { Hex } from 'viem'
import { useHead } from '../../data/head.ts'
import { useNetworkState } from '../../data/networkState.ts'
import type { Block } from '../../data/objects.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { type Consensus, consensusMethods, loadValidators, type ValidatorState } from '../../data/validators.ts'
import { readExtraData } from '../../decode/extraData.ts'
import { countMissedTurns } from '../../decode/missedTurns.ts'
import { formatCount } from '../../format/numbers.ts'
import { Card } from '../../parts/Card.tsx'
import { BlockLink } from '../../parts/Links.tsx'
import { NodeName } from '../../parts/NodeName.tsx'
import { Empty, Failed } from '../../parts/Notes.tsx'
import { Table } from '../../parts/Table.tsx'

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
        <Empty>
          This network runs {name}. Validators and votes are shown when the node serves the namespace {namespace}.
        </Empty>
      </Card>
    )
  return <ValidatorCard consensus={kind} blocks={blocks} />
}

function ValidatorCard({ consensus, blocks }: { consensus: Consensus; blocks: readonly Block[] }) {
  const { ask, node } = useSite()
  const { number } = useHead()
  const { value, error } = useLoad(`validators ${node.path}`, () => loadValidators(ask, consensus), number)
  const { name } = consensusMethods[consensus]
  return (
    <Card
      title="Validators"
      side={
        <span class="soft">
          {name}, last 100 blocks · <a href="#/validators">Votes</a>
        </span>
      }
    >
      {error && !value ? (
        <Failed error={error} what="The list of validators" />
      ) : (
        <List consensus={consensus} value={value} blocks={blocks} />
      )}
    </Card>
  )
}

/** Whether a validator takes part, by the verdict on the network. */
function Part({ address }: { address: Hex }) {
  const { state } = useNetworkState()
  if (!state?.validators) return <span class="soft">not known</span>
  const isMissing = state.validators.missing.some((one) => one.toLowerCase() === address)
  if (isMissing) return <span class="tag bad">missing</span>
  const problem = state.problems?.find(({ about, code }) => about?.toLowerCase() === address && code !== 'absent')
  return problem ? <span class="tag bad">{problem.code}</span> : <span class="tag good">takes part</span>
}

function List({
  consensus,
  value,
  blocks,
}: {
  consensus: Consensus
  value: ValidatorState | undefined
  blocks: readonly Block[]
}) {
  const rounded = blocks.flatMap(({ miner, extraData }) => {
    const extra = readExtraData(extraData)
    return 'round' in extra ? [{ proposer: miner, round: extra.round }] : []
  })
  const validators = value?.validators.map((one) => one.toLowerCase() as Hex)
  const missed = countMissedTurns(validators ?? [], rounded)
  const rows = validators?.map((address) => {
    const metrics = value?.metrics.find((one) => one.address.toLowerCase() === address)
    const turns = missed.get(address) ?? 0
    const last = Number(metrics?.lastProposedBlockNumber ?? 0)
    return {
      key: address,
      cells: [
        <NodeName key="address" address={address} />,
        <Part key="part" address={address} />,
        formatCount(Number(metrics?.proposedBlockCount ?? 0)),
        last > 0 ? <BlockLink key="last" number={last} /> : 'none',
        ...(consensus === 'clique' ? [] : [<Turns key="turns" missed={turns} />]),
      ],
    }
  })
  const columns = [
    { title: 'Validator' },
    { title: 'State' },
    { title: 'Proposed', numeric: true },
    { title: 'Last proposed', numeric: true },
    ...(consensus === 'clique' ? [] : [{ title: 'Turns missed', numeric: true }]),
  ]
  return <Table label="Validators" columns={columns} rows={rows} expected={4} />
}

const Turns = ({ missed }: { missed: number }) => (missed > 0 ? <span class="tag bad">{missed}</span> : <>0</>)
