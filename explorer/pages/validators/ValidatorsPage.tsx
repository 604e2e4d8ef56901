import { useSite } from '../../data/session.ts'
import { consensusMethods } from '../../data/validators.ts'
import { readExtraData } from '../../decode/extraData.ts'
import { Empty, Failed, Waiting } from '../../parts/Notes.tsx'
import { useRecentBlocks } from '../network/useRecentBlocks.ts'
import { Validators } from '../network/Validators.tsx'
import { Votes } from './Votes.tsx'

/** The validators, and who may become one: votes in the chain, votes that nodes hold ready, and casting them. */
export function ValidatorsPage() {
  const { namespaces } = useSite()
  const { blocks, error } = useRecentBlocks()
  const head = blocks?.at(-1)
  const kind = head && Number(head.number) > 0 ? readExtraData(head.extraData).kind : undefined
  const isServed = kind !== undefined && kind !== 'other' && namespaces.has(consensusMethods[kind].namespace)
  return (
    <>
      <h1>Validators and votes</h1>
      {error ? <Failed error={error} what="The network" /> : !blocks && <Waiting lines={6} />}
      {head && (kind === undefined || kind === 'other') && (
        <Empty>
          {Number(head.number) === 0
            ? 'There is no block yet: validators are shown as soon as there is one.'
            : 'This network has no validators that are voted on.'}
        </Empty>
      )}
      <Validators blocks={blocks} />
      {isServed && <Votes consensus={kind} />}
    </>
  )
}
