import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const header = '// SPDX-License-Identifier: Apache-2.0\npragma solidity ^0.8.28;\n'

const vault = `${header}
contract Vault {
  event Changed(address indexed who, uint256 value);
  error TooLarge(uint256 value, uint256 max);
  uint256 public value;
  address payable public owner;
  constructor(uint256 first) payable { value = first; owner = payable(msg.sender); }
  function set(uint256 next) external {
    if (next > 1000) revert TooLarge(next, 1000);
    value = next;
    emit Changed(msg.sender, next);
  }
  function withdraw() external { owner.transfer(address(this).balance); }
}
`

const cheats = 'constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D)'

const tests = `${header}
import {Vault} from "../src/Vault.sol";
interface Vm {
  function envAddress(string calldata) external view returns (address);
  function expectRevert(bytes calldata) external;
  function rollFork(uint256) external;
}
contract VaultTest {
  Vm ${cheats};
  Vault vault;
  function setUp() public { vault = Vault(vm.envAddress("VAULT")); }
  function test_readsTheChain() public view { require(vault.value() == 5 && block.chainid == 1337); }
  function test_changesItsCopy() public { vault.set(9); require(vault.value() == 9); }
  function test_refuses() public {
    vm.expectRevert(abi.encodeWithSelector(Vault.TooLarge.selector, 1001, 1000));
    vault.set(1001);
  }
  function test_pays() public {
    uint256 before = vault.owner().balance;
    vault.withdraw();
    require(vault.owner().balance == before + 1 ether);
  }
  function test_goesBack() public { vm.rollFork(0); require(address(vault).code.length == 0); }
}
`

const script = `${header}
import {Vault} from "../src/Vault.sol";
interface Vm { function startBroadcast() external; function stopBroadcast() external; }
contract Deploy {
  Vm ${cheats};
  function run() external returns (Vault vault) {
    vm.startBroadcast();
    vault = new Vault{value: 1 ether}(3);
    vault.set(4);
    vault.withdraw();
    vm.stopBroadcast();
  }
}
`

/** Foundry downloads native compilers from a site of its own; this one has the npm package behind the same options. */
const compiler = (solc: string) => `#!/usr/bin/env node
const solc = require(${JSON.stringify(solc)})
const version = solc.version().replace('.Emscripten.clang', '.Linux.g++')
if (process.argv.includes('--version')) console.log('solc, the solidity compiler commandline interface\\nVersion: ' + version)
else process.stdout.write(solc.compile(require('node:fs').readFileSync(0, 'utf8')))
`

/** Writes a project with a contract, tests and a script; `solc` is the folder of the compiler's package. */
export function writeFoundryProject(folder: string, solc: string): void {
  const files = {
    'foundry.toml': `[profile.default]\noffline = true\nsolc = "${join(folder, 'solc.cjs')}"\n`,
    'solc.cjs': compiler(solc),
    'src/Vault.sol': vault,
    'test/Vault.t.sol': tests,
    'script/Deploy.s.sol': script,
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  chmodSync(join(folder, 'solc.cjs'), 0o755)
}
