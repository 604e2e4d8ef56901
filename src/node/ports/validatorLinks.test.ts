import { expect, test } from 'vitest'
import type { Producer } from '../../consensus/producing/producer.ts'
import type { ProtocolLink } from '../../net/protocol.ts'
import { type Address, toAddress } from '../../primitives/bytes.ts'
import { createValidatorLinks } from './validatorLinks.ts'

test('a node is gone when the last of its connections has closed', () => {
  const seen: string[] = []
  const name = (address: Address) => String(address[0])
  const producer = {
    protocols: [{ name: 'istanbul', version: 100, length: 4 }],
    onLink: (address: Address) => seen.push(`${name(address)} is there`),
    onUnlink: (address: Address) => seen.push(`${name(address)} is gone`),
  } as unknown as Producer
  const [protocol] = createValidatorLinks().protocolsOf(producer)
  const link = (byte: number) => ({ peer: { address: toAddress(new Uint8Array(20).fill(byte)) } }) as ProtocolLink
  const [first, second, other] = [link(1), link(1), link(2)].map((one) => protocol!.open(one))
  first!.onClose()
  expect(seen).toEqual(['1 is there', '1 is there', '2 is there'])
  other!.onClose()
  second!.onClose()
  expect(seen.slice(3)).toEqual(['2 is gone', '1 is gone'])
})
