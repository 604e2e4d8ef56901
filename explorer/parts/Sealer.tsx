import type { SealedHeader } from '../data/objects.ts'
import { useLoad } from '../data/useLoad.ts'
import { recoverSigner } from '../decode/cliqueSigner.ts'
import { readExtraData } from '../decode/extraData.ts'
import { AddressLink } from './Links.tsx'
import { Waiting } from './Notes.tsx'

/** What the account is called that made a block. */
export function sealerTitle(header: SealedHeader | undefined): string {
  const extra = header && readExtraData(header.extraData)
  if (extra?.kind === 'clique') return 'Signer'
  return extra && 'round' in extra ? 'Proposer' : 'Beneficiary'
}

interface Options {
  readonly header: SealedHeader
  readonly full?: boolean
  readonly copy?: boolean
}

/** Who made a block. */
export function Sealer({ header, ...options }: Options) {
  if (Number(header.number) > 0 && readExtraData(header.extraData).kind === 'clique')
    return <Signer header={header} {...options} />
  return <AddressLink address={header.miner} {...options} />
}

function Signer({ header, ...options }: Options) {
  const { value, error } = useLoad(`signer ${header.hash}`, () => recoverSigner(header))
  if (error) return <span class="soft">unknown: the seal is invalid</span>
  return value ? <AddressLink address={value} {...options} /> : <Waiting />
}
