import { inputOf, type StandardInput } from '../../sources/solidity.ts'

/** What people write who mean harm: scripts, links that run, and marks that turn the direction of writing. */
export const harm = {
  script: '<script>window.hacked=1</script>',
  image: `<img src=x onerror="window.hacked=1">`,
  link: 'javascript:window.hacked=1',
  turned: '\u202egnp.exe\u202c',
} as const

const path = `<img src=x onerror='window.hacked=1'>.sol`
/** Longer than anybody reads, in one line. */
const long = 'A'.repeat(200_000)

/** Sources whose names, comments and texts mean harm, of a contract that verifies. */
export function strangerInput(): StandardInput {
  const main = inputOf(`import "${path}";
// ${harm.script}${harm.image} ${harm.turned} ${harm.link}
// ${long}
contract C is Parent {
  string public motto;
  address public owner;
  event Said(string what, uint256 value);
  error Refused(string why);
  constructor(string memory text) { motto = text; owner = msg.sender; }
  function say(string calldata what) external { motto = what; emit Said(what, 1); }
  function pay() external payable returns (address) {
    (bool done, ) = msg.sender.call{value: msg.value}("");
    require(done);
    return ecrecover(bytes32(uint256(1)), 27, bytes32(uint256(2)), bytes32(uint256(3)));
  }
  function refuse() external view { revert Refused(motto); }
}`)
  const parent = {
    content: `// SPDX-License-Identifier: ${'Apache-2.0'}\npragma solidity ^0.8.0;\ncontract Parent {}\n`,
  }
  return { ...main, sources: { ...main.sources, [path]: parent } }
}

/** A proxy as EIP-1967 describes it; its constructor takes the implementation. */
export const proxyInput = inputOf(`contract C {
  bytes32 private constant slot = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
  constructor(address implementation) { bytes32 at = slot; assembly { sstore(at, implementation) } }
  fallback() external payable {
    bytes32 at = slot;
    assembly {
      calldatacopy(0, 0, calldatasize())
      let done := delegatecall(gas(), sload(at), 0, calldatasize(), 0, 0)
      returndatacopy(0, 0, returndatasize())
      switch done case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
    }
  }
}`)

/** A token that says a mebibyte of script for its name and symbol, and that it has a million million decimals. */
export const boastfulInput = inputOf(`contract C {
  event Transfer(address indexed from, address indexed to, uint256 value);
  function boast() internal pure returns (string memory text) {
    text = new string(1048576);
    bytes memory word = bytes("${harm.script}");
    for (uint256 i = 0; i < 1024; i++) bytes(text)[i] = word[i % word.length];
    for (uint256 at = 1024; at < 1048576; at *= 2)
      assembly { mcopy(add(add(text, 32), at), add(text, 32), at) }
  }
  function name() external pure returns (string memory) { return boast(); }
  function symbol() external pure returns (string memory) { return boast(); }
  function decimals() external pure returns (uint256) { return 1000000000000; }
  function totalSupply() external pure returns (uint256) { return type(uint256).max; }
  function balanceOf(address) external pure returns (uint256) { return type(uint256).max; }
  function move(address to, uint256 value) external { emit Transfer(msg.sender, to, value); }
}`)

const parameter = (name: unknown, type: unknown = 'uint256') => ({ name, type })

/** An ABI that is JSON and little else: names that are scripts, entries that lack what all have, more functions than anybody calls. */
export const strangerAbi: readonly unknown[] = [
  { type: 'function', name: harm.script, inputs: [parameter(harm.image)], outputs: [], stateMutability: 'view' },
  { type: 'function', name: harm.link, inputs: [], outputs: [parameter(harm.turned)], stateMutability: 'view' },
  { type: 'function', name: harm.turned.repeat(2000), inputs: [], stateMutability: 'nonpayable' },
  { type: 'function', name: 'noInputs' },
  { type: 'function', inputs: [] },
  { type: 'function', name: { toString: 1 }, inputs: [] },
  { type: 'function', name: 'noComponents', inputs: [parameter('x', 'tuple')] },
  { type: 'event', name: 'noInputs' },
  { type: 'event', name: harm.script, inputs: [parameter(5)] },
  { type: 'error', name: 'unknown', inputs: [parameter('x', 'whatever')] },
  ...Array.from({ length: 1000 }, (_, i) => ({
    ...{ type: 'function', name: `f${i}`, inputs: [], outputs: [parameter('')], stateMutability: 'view' },
  })),
]
