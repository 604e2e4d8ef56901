import type { Hex } from 'viem'
import { useNodeNames } from '../data/nodeNames.ts'
import { AddressLink } from './Links.tsx'

/** The account of a node, with the node's name where the page knows several. */
export function NodeName({ address, copy = true }: { address: Hex; copy?: boolean }) {
  const name = useNodeNames().get(address.toLowerCase())
  return (
    <span class="pair">
      <AddressLink address={address} copy={copy} />
      {name && <span class="soft">{name}</span>}
    </span>
  )
}
