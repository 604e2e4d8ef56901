import { keccak256 } from '../../src/primitives/keccak.ts'

/**
 * A contract that keeps a number up to 1000, as Solidity would show it:
 *
 *     event Changed(address indexed who, uint256 value);
 *     function get() external view returns (uint256);
 *     function set(uint256 value) external;  // require(value <= 1000, "too large")
 */
export const abi = [
  {
    type: 'event',
    name: 'Changed',
    anonymous: false,
    inputs: [
      { name: 'who', type: 'address', indexed: true },
      { name: 'value', type: 'uint256', indexed: false },
    ],
  },
  { type: 'function', name: 'get', stateMutability: 'view', inputs: [], outputs: [{ name: '', type: 'uint256' }] },
  {
    type: 'function',
    name: 'set',
    stateMutability: 'nonpayable',
    inputs: [{ name: 'value', type: 'uint256' }],
    outputs: [],
  },
] as const

const text = (characters: string) => Buffer.from(characters).toString('hex')
const changed = Buffer.from(keccak256(Buffer.from('Changed(address,uint256)'))).toString('hex')

/** The code, with jump destinations at 0x1d (get), 0x29 (set) and 0x64 (too large). */
const runtime = [
  '60003560e01c', // selector
  '806360fe47b114602957', // set(uint256)
  '636d4ce63c14601d57', // get()
  '600080fd',
  '5b60005460005260206000f3', // get: return slot 0
  '5b600435806103e810606457', // set: 1000 < value?
  '80600055600052', // store it and put it into memory
  `337f${changed}60206000a200`,
  '5b6308c379a060e01b600052', // Error(string)
  `60206004526009602452 68${text('too large')}60b81b604452`.replace(' ', ''),
  '60646000fd',
].join('')

const size = (runtime.length / 2).toString(16)

/** What creates the contract. */
export const bytecode: `0x${string}` = `0x60${size}600c60003960${size}6000f3${runtime}`
