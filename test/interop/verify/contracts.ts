import { accounts } from '../toolChain.ts'

// Contracts that the tools verify: what compilers do differently, and what a chain writes into code.

/** Who deploys, and nothing else. */
export const [deployer] = accounts as [(typeof accounts)[0]]

/** Versions of npm's `solc`, as tools write them. */
export const compilers = {
  '0.4.26': '0.4.26+commit.4563c3fc',
  '0.5.17': '0.5.17+commit.d19bba13',
  '0.6.12': '0.6.12+commit.27d51765',
  '0.7.6': '0.7.6+commit.7338295f',
  '0.8.19': '0.8.19+commit.7dd6d404',
  '0.8.30': '0.8.30+commit.73712a01',
} as const
export type CompilerVersion = keyof typeof compilers

/** What a contract is compiled with, the same for every tool. */
export interface CompileSettings {
  readonly evm: string
  /** Of the optimizer; it is off when left out. */
  readonly runs?: number
  readonly viaIr?: boolean
  /** Hash of the metadata in the code. */
  readonly hash?: 'ipfs' | 'bzzr1' | 'none'
  /** Whether there are any data of the compiler in the code. */
  readonly hasNoCbor?: boolean
}

/** An argument of a constructor, as JSON has it. */
export interface Argument {
  readonly type: string
  readonly value: unknown
}

/** A contract that is deployed and verified. */
export interface Sample {
  readonly name: string
  readonly compiler: CompilerVersion
  readonly settings: CompileSettings
  /** Texts by names of files. */
  readonly files: Readonly<Record<string, string>>
  /** `File.sol:Name`. */
  readonly target: string
  /** Libraries that are deployed before, and linked. */
  readonly libraries?: readonly string[]
  /** Of the constructor; `first` is the address of the first contract of all. */
  readonly args?: (first: string) => readonly Argument[]
  /** The contract whose make() creates it. */
  readonly factory?: string
}

const prague: CompileSettings = { evm: 'prague', runs: 200 }
const istanbul: CompileSettings = { evm: 'istanbul', runs: 200 }

const newest = (name: string, target: string, text: string, more: Partial<Sample> = {}): Sample => {
  const files = { [target.slice(0, target.indexOf(':'))]: head('^0.8.0') + text, ...more.files }
  return { compiler: '0.8.30', settings: prague, name, target, ...more, files }
}
const head = (version: string) => `// SPDX-License-Identifier: Apache-2.0\npragma solidity ${version};\n`

/** The contract in question where something is changed below. */
export const vault = newest(
  'plain',
  'Vault.sol:Vault',
  `library Sums { function more(uint256 a) internal pure returns (uint256) { return a + 11; } }
/// @title Keeps a number.
contract Vault {
  event Changed(address indexed who, uint256 value);
  error TooLarge(uint256 value, uint256 max);
  struct Entry { uint128 low; uint128 high; string note; }
  uint256 public value;
  mapping(address => Entry) public entries;
  function set(uint256 next, string calldata note) external {
    if (next > 1000) revert TooLarge(next, 1000);
    value = Sums.more(next);
    entries[msg.sender] = Entry(uint128(next), 7, note);
    emit Changed(msg.sender, next);
  }
}
contract Other { function other() external pure returns (string memory) { return "another contract"; } }
`,
)

/** One without the hash of its metadata. */
export const withoutHash = newest(
  'without-hash',
  'Bare.sol:Bare',
  `contract Bare {
  uint256 public count;
  function add(uint256 more) external { count += more; }
  function clear() external { count = 0; }
}
`,
  { settings: { ...prague, hash: 'none' } },
)

const libraries = [
  newest(
    'library-linked',
    'Linked.sol:Linked',
    `library Words { function twice(string memory a) public pure returns (string memory) { return string.concat(a, a); } }
contract Linked { function f(string calldata a) external pure returns (string memory) { return Words.twice(a); } }
`,
    { libraries: ['Linked.sol:Words'] },
  ),
  newest(
    'two-libraries',
    'Shares.sol:Shares',
    `import {Low} from "./Low.sol";
library High { function f(uint256 a) public pure returns (uint256) { return a * 3; } }
contract Shares {
  uint256 immutable share;
  constructor(uint256 one) { share = Low.f(one); }
  function partOf(uint256 a) external view returns (uint256) { return High.f(a) + Low.f(a) + share; }
}
`,
    {
      compiler: '0.8.19',
      settings: { evm: 'paris', runs: 1 },
      files: {
        'Low.sol': `${head('^0.8.0')}library Low { function f(uint256 a) public pure returns (uint256) { return a / 5; } }\n`,
      },
      libraries: ['Shares.sol:High', 'Low.sol:Low'],
      args: () => [{ type: 'uint256', value: '500' }],
    },
  ),
  newest(
    'library-itself',
    'Roots.sol:Roots',
    'library Roots { function half(uint256 a) external view returns (uint256) { return a / 2 + block.number; } }\n',
  ),
]

const deployed = [
  newest(
    'immutables',
    'Fixed.sol:Fixed',
    `contract Fixed {
  address public immutable self = address(this);
  uint8 public immutable small;
  bytes32 public immutable word;
  int64 public immutable negative;
  constructor(uint8 a, bytes32 b, int64 c) { small = a; word = b; negative = c; }
  function all() external view returns (bytes memory) { return abi.encode(self, small, word, negative); }
}
`,
    {
      args: () => [
        { type: 'uint8', value: '200' },
        { type: 'bytes32', value: `0x${'a1'.repeat(32)}` },
        { type: 'int64', value: '-5' },
      ],
    },
  ),
  newest(
    'arguments',
    'Named.sol:Named',
    `contract Named {
  string public name; uint256[] public shares; bytes public data;
  constructor(string memory n, uint256[] memory s, bytes memory d) { name = n; shares = s; data = d; }
}
`,
    {
      args: () => [
        { type: 'string', value: 'A name that is longer than one word has room for' },
        { type: 'uint256[]', value: ['1', '2', '300000000000000000000'] },
        { type: 'bytes', value: '0x00ff' },
      ],
    },
  ),
  newest(
    'created',
    'Made.sol:Made',
    `contract Made { uint256 public immutable at; constructor(uint256 a) { at = a; } }
contract Maker { address public made; function make() external { made = address(new Made(77)); } }
`,
    { factory: 'Made.sol:Maker', args: () => [{ type: 'uint256', value: '77' }] },
  ),
  newest(
    'created-with-salt',
    'Salted.sol:Salted',
    `contract Salted { address public owner; constructor(address a) { owner = a; } }
contract Sower { address public made; function make() external { made = address(new Salted{salt: bytes32(uint256(5))}(msg.sender)); } }
`,
    { factory: 'Salted.sol:Sower', args: () => [{ type: 'address', value: deployer.address }] },
  ),
  newest(
    'factory',
    'Factory.sol:Factory',
    `contract Child { string public text = "a child"; function say() external view returns (string memory) { return text; } }
contract Second is Child { uint256 immutable born = block.number; function age() external view returns (uint256) { return block.number - born; } }
contract Factory { function make() external returns (address, address) { return (address(new Child()), address(new Second())); } }
`,
  ),
]

const slot = 'bytes32(uint256(keccak256("eip1967.proxy.implementation")) - 1)'
const beaconSlot = 'bytes32(uint256(keccak256("eip1967.proxy.beacon")) - 1)'
const forward = (to: string) => `address a = ${to};
    assembly {
      calldatacopy(0, 0, calldatasize())
      let ok := delegatecall(gas(), a, 0, calldatasize(), 0, 0)
      returndatacopy(0, 0, returndatasize())
      switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
    }`

const proxies = [
  newest(
    'proxy',
    'Proxy.sol:Proxy',
    `contract Proxy {
  constructor(address implementation, bytes memory) { bytes32 s = ${slot}; assembly { sstore(s, implementation) } }
  function target() private view returns (address a) { bytes32 s = ${slot}; assembly { a := sload(s) } }
  fallback() external payable { ${forward('target()')} }
}
`,
    {
      args: (first) => [
        { type: 'address', value: first },
        { type: 'bytes', value: '0x' },
      ],
    },
  ),
  newest(
    'beacon-proxy',
    'BeaconProxy.sol:BeaconProxy',
    `interface IBeacon { function implementation() external view returns (address); }
contract BeaconProxy {
  address private immutable beacon;
  constructor(address b) { beacon = b; bytes32 s = ${beaconSlot}; assembly { sstore(s, b) } }
  fallback() external payable { ${forward('IBeacon(beacon).implementation()')} }
}
`,
    { args: (first) => [{ type: 'address', value: first }] },
  ),
]

const compiledOtherwise = [
  newest(
    'intermediate-representation',
    'Paths.sol:Paths',
    `contract Paths {
  uint256 immutable start;
  constructor(uint256 s) { start = s; }
  function walk(uint256[] calldata steps) external view returns (uint256 at) {
    at = start;
    for (uint256 i = 0; i < steps.length; i++) at = at * 31 + steps[i];
  }
}
`,
    { settings: { ...prague, viaIr: true }, args: () => [{ type: 'uint256', value: '9' }] },
  ),
  newest(
    'not-optimised',
    'Loose.sol:Loose',
    'contract Loose { mapping(uint256 => uint256[]) public lists; function push(uint256 k, uint256 v) external { lists[k].push(v); } }\n',
    { settings: { evm: 'london' } },
  ),
  newest(
    'without-metadata',
    'Silent.sol:Silent',
    `contract Silent { uint256 public immutable number; constructor(uint256 n) { number = n; } }
`,
    {
      settings: { ...prague, hash: 'none', hasNoCbor: true },
      args: () => [{ type: 'uint256', value: '31' }],
    },
  ),
  newest(
    'swarm',
    'Swarm.sol:Swarm',
    'contract Swarm { function f() external pure returns (uint256) { return 42; } }\n',
    {
      settings: { ...prague, hash: 'bzzr1' },
    },
  ),
]

const older: readonly Sample[] = [
  {
    ...{ name: 'solidity-0.7', compiler: '0.7.6', settings: { ...istanbul, runs: 9999 }, target: 'Pairs.sol:Pairs' },
    files: {
      'Pairs.sol': `${head('^0.7.0')}pragma abicoder v2;
contract Pairs {
  struct Pair { uint256 left; string right; }
  Pair[] public pairs;
  uint256 public immutable limit;
  constructor(uint256 l) { limit = l; }
  function add(Pair[] calldata more) external { for (uint256 i = 0; i < more.length && i < limit; i++) pairs.push(more[i]); }
}
`,
    },
    args: () => [{ type: 'uint256', value: '12' }],
  },
  {
    ...{ name: 'solidity-0.6', compiler: '0.6.12', settings: istanbul, target: 'Token.sol:Token' },
    files: {
      'Token.sol': `${head('^0.6.0')}import "./Owned.sol";
import "./Maths.sol";
contract Token is Owned {
  using Maths for uint256;
  mapping(address => uint256) public balances;
  function give(address to, uint256 much) external onlyOwner { balances[to] = balances[to].plus(much); }
}
`,
      'Owned.sol': `${head('^0.6.0')}abstract contract Owned {
  address public owner = msg.sender;
  modifier onlyOwner() { require(msg.sender == owner, "not the owner"); _; }
}
`,
      'Maths.sol': `${head('^0.6.0')}library Maths {
  function plus(uint256 a, uint256 b) internal pure returns (uint256) { uint256 c = a + b; require(c >= a, "too much"); return c; }
}
`,
    },
  },
  {
    ...{ name: 'solidity-0.5', compiler: '0.5.17', settings: istanbul, target: 'Old.sol:Old' },
    files: {
      'Old.sol': `pragma solidity ^0.5.0;
library OldWords { function twice(uint256 a) public pure returns (uint256) { return 2 * a; } }
contract Old { uint256 public x; constructor(uint256 a) public { x = OldWords.twice(a); } function() external payable {} }
`,
    },
    libraries: ['Old.sol:OldWords'],
    args: () => [{ type: 'uint256', value: '3' }],
  },
  {
    ...{
      name: 'solidity-0.4',
      compiler: '0.4.26',
      settings: { evm: 'byzantium', runs: 200 },
      target: 'Ancient.sol:Ancient',
    },
    files: {
      'Ancient.sol': `pragma solidity ^0.4.11;
contract Ancient {
  event Stored(bytes32 indexed key, string text);
  mapping(bytes32 => string) texts;
  function store(bytes32 key, string text) public { texts[key] = text; emit Stored(key, text); }
  function load(bytes32 key) public view returns (string) { return texts[key]; }
}
`,
    },
  },
]

export const samples: readonly Sample[] = [
  vault,
  withoutHash,
  ...libraries,
  ...deployed,
  ...proxies,
  ...compiledOtherwise,
  ...older,
]
