import type { Hex } from 'viem'
import { contracts } from '../../data/contracts.ts'
import { useSite } from '../../data/session.ts'
import { useLoad } from '../../data/useLoad.ts'
import { listVariables, readVariable, type Variable } from '../../decode/storageLayout.ts'
import { toQuantity } from '../../format/quantity.ts'
import { Card } from '../../parts/Card.tsx'
import { Failed } from '../../parts/Notes.tsx'
import { Table } from '../../parts/Table.tsx'
import { Text } from '../../parts/Text.tsx'
import { useVerified } from './useVerified.ts'

/** Variables of a contract with their values at a block, where its sources are verified; of a proxy those of its implementation. */
export function Variables({ address, block }: { address: Hex; block: string }) {
  const { verified } = useVerified(contracts.proxy(address, block)?.implementation ?? address)
  const variables = verified?.storageLayout ? listVariables(verified.storageLayout) : []
  return variables.length === 0 ? null : <Values address={address} block={block} variables={variables} />
}

function Values({ address, block, variables }: { address: Hex; block: string; variables: readonly Variable[] }) {
  const { ask, node } = useSite()
  const slots = [...new Set(variables.map(({ slot }) => slot))]
  const { value, error } = useLoad(`variables ${node.path} ${address} ${block} ${slots.join()}`, async () => {
    const words = await Promise.all(
      slots.map((slot) => ask<Hex>('eth_getStorageAt', [address, toQuantity(slot), block])),
    )
    return new Map(slots.map((slot, i) => [slot, words[i]!]))
  })
  const rows =
    value &&
    variables.map((variable, i) => ({
      key: i,
      cells: [
        <Text key="name" value={variable.name} code max={80} />,
        <Text key="type" value={variable.type} code max={80} />,
        <Text key="slot" value={String(variable.slot)} code max={80} />,
        <Text key="value" value={readVariable(variable, value.get(variable.slot)!)} max={100} />,
      ],
    }))
  return (
    <Card title="Variables">
      {error ? (
        <Failed error={error} what="The variables" />
      ) : (
        <Table
          label="Variables"
          columns={[
            { title: 'Name' },
            { title: 'Type', minor: true },
            { title: 'Slot', minor: true },
            { title: 'Value' },
          ]}
          rows={rows}
          expected={variables.length}
        />
      )}
    </Card>
  )
}
