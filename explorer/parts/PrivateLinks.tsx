import type { Hex } from 'viem'
import { groupRoute, privateRoute } from '../data/groups.ts'
import { checksummed } from '../format/checksummed.ts'
import { shorten } from '../format/shorten.ts'
import { Copy } from './Copy.tsx'
import { Full } from './Links.tsx'
import { Text } from './Text.tsx'

/** A privacy group, by its name if it has one. */
export function GroupLink({ id, name = '' }: { id: string; name?: string }) {
  return (
    <span class="hex">
      <a href={groupRoute(id)} title={id} data-value={id} class={name ? undefined : 'mono'}>
        {name ? <Text value={name} max={60} /> : shorten(id)}
      </a>
      <Copy text={id} what="group id" />
    </span>
  )
}

/** A contract in the private state of a group: the public chain knows nothing at its address. */
export function PrivateContractLink({ group, address }: { group: string; address: Hex }) {
  const shown = checksummed(address)
  return (
    <span class="hex">
      <a href={privateRoute(group, shown)} title={shown} data-value={shown} class="mono">
        <Full hex={shown} />
      </a>
      <Copy text={shown} what="address" />
      <span class="tag">private</span>
    </span>
  )
}

/** The public key of a member of groups. */
export function PublicKey({ of }: { of: string }) {
  return (
    <span class="hex">
      <Text value={of} code max={100} />
      <Copy text={of} what="public key" />
    </span>
  )
}
