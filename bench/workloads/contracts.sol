// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.30;

// What the workloads run. contracts.json has it compiled, so that a benchmark needs no compiler
// (`solc --optimize --evm-version cancun --no-cbor-metadata --bin-runtime`).

contract Token {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);

    function move(address from, address to, uint256 value) private {
        require(to != address(0), "zero address");
        uint256 balance = balanceOf[from];
        require(balance >= value, "balance");
        unchecked {
            balanceOf[from] = balance - value;
        }
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        require(allowed >= value, "allowance");
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        move(from, to, value);
        return true;
    }

    // Many transfers in one call, among 16 recipients: slots are warm after the first round.
    function loop(uint256 count) external returns (uint256) {
        for (uint256 i = 0; i < count; i++) move(msg.sender, address(uint160(0x1000 + (i & 15))), 1);
        return balanceOf[msg.sender];
    }
}

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

// A market of two tokens that keeps the product of its reserves: a swap is two calls, a packed slot and two events.
contract Market {
    IToken public token0;
    IToken public token1;
    uint112 private reserve0;
    uint112 private reserve1;
    uint32 private updated;
    uint256 public price0Cumulative;
    uint256 public price1Cumulative;
    event Sync(uint112 reserve0, uint112 reserve1);
    event Swap(address indexed sender, uint256 amountIn, uint256 amountOut, bool forward);

    function swap(uint256 amountIn, bool forward) external returns (uint256 amountOut) {
        (uint256 before0, uint256 before1, uint32 last) = (reserve0, reserve1, updated);
        (uint256 given, uint256 taken) = forward ? (before0, before1) : (before1, before0);
        uint256 kept = amountIn * 997;
        amountOut = (kept * taken) / (given * 1000 + kept);
        require(amountOut > 0 && amountOut < taken, "liquidity");
        (IToken from, IToken to) = forward ? (token0, token1) : (token1, token0);
        require(from.transferFrom(msg.sender, address(this), amountIn));
        require(to.transfer(msg.sender, amountOut));
        (uint256 after0, uint256 after1) = forward
            ? (before0 + amountIn, before1 - amountOut)
            : (before0 - amountOut, before1 + amountIn);
        require(after0 * after1 >= before0 * before1, "product");
        unchecked {
            uint256 elapsed = uint32(block.timestamp) - last;
            if (elapsed > 0) {
                price0Cumulative += ((before1 << 112) / before0) * elapsed;
                price1Cumulative += ((before0 << 112) / before1) * elapsed;
            }
        }
        (reserve0, reserve1, updated) = (uint112(after0), uint112(after1), uint32(block.timestamp));
        emit Sync(uint112(after0), uint112(after1));
        emit Swap(msg.sender, amountIn, amountOut, forward);
    }
}

// Storage-heavy: each entry takes four slots, links to the entry before and changes an old one.
contract Ledger {
    struct Entry {
        address owner;
        uint64 time;
        uint256 amount;
        bytes32 link;
        uint256 visits;
    }

    mapping(uint256 => Entry) private entries;
    mapping(address => uint256) public total;
    uint256 public count;
    event Recorded(uint256 indexed first, uint256 count);

    function record(uint256 many, uint256 seed) external {
        uint256 first = count;
        bytes32 link = first == 0 ? bytes32(seed) : entries[first - 1].link;
        for (uint256 i = first; i < first + many; i++) {
            link = keccak256(abi.encode(link, seed, i));
            uint256 amount = uint256(link) >> 128;
            entries[i] = Entry(msg.sender, uint64(block.timestamp), amount, link, 1);
            entries[uint256(link) % (i + 1)].visits++;
            total[msg.sender] += amount;
        }
        count = first + many;
        emit Recorded(first, many);
    }
}

contract Compute {
    function fib(uint256 n, uint256 rounds) external pure returns (uint256 sum) {
        for (uint256 k = 0; k < rounds; k++) {
            uint256 a = 0;
            uint256 b = 1;
            for (uint256 i = 0; i < n; i++) (a, b) = (b, a + b);
            sum = (sum + a) & type(uint128).max;
        }
    }

    function sort(uint256 n, uint256 seed) external pure returns (uint256 digest) {
        uint256[] memory a = new uint256[](n);
        uint256 x = seed;
        for (uint256 i = 0; i < n; i++) {
            unchecked {
                x = x * 6364136223846793005 + 1442695040888963407;
            }
            a[i] = x >> 33;
        }
        quicksort(a, 0, int256(n) - 1);
        for (uint256 i = 1; i < n; i++) {
            require(a[i - 1] <= a[i]);
            unchecked {
                digest = digest * 31 + a[i];
            }
        }
    }

    function quicksort(uint256[] memory a, int256 low, int256 high) private pure {
        int256 i = low;
        int256 j = high;
        if (i >= j) return;
        uint256 pivot = a[uint256(low + (high - low) / 2)];
        while (i <= j) {
            while (a[uint256(i)] < pivot) i++;
            while (pivot < a[uint256(j)]) j--;
            if (i <= j) {
                (a[uint256(i)], a[uint256(j)]) = (a[uint256(j)], a[uint256(i)]);
                i++;
                j--;
            }
        }
        if (low < j) quicksort(a, low, j);
        if (i < high) quicksort(a, i, high);
    }
}
