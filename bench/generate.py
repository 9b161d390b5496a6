"""Texts of the JSON grammar of bench_generate.c by Python, in the way in which the code that
Grammarinator generates is described to work (Hodovan, Kiss and Gyimothy, A-TEST 2018): a method
for each rule, a tree of nodes, sizes (depth, tokens) that are kept below limits, a context for
each rule, alternation and quantifier, a model that is asked for each choice, at last the texts
of the tokens of the tree.

It stands for Grammarinator, whose package cannot be had where this is run and of which no
throughput is published; it is no copy of its code and leaves much out (listeners, transformers,
memo, files).  Prints MB of text made in a second of CPU time, the best of three.
"""
import random
import time

PLAIN = [chr(c) for c in range(32, 127) if chr(c) not in '"\\']
MAX_DEPTH, MAX_TOKENS = 40, 100


class Node:
    def __init__(self, name, parent):
        self.name, self.parent, self.children, self.text = name, parent, [], ''
        if parent is not None:
            parent.children.append(self)


class Model:
    def choice(self, node, number, weights):
        return random.choices(range(len(weights)), weights=weights)[0]

    def quantify(self, node, number):
        return random.random() < 0.5

    def charset(self, node, characters):
        return random.choice(characters)


class Rule:
    def __init__(self, maker, name, parent, is_token=False):
        self.maker, self.is_token = maker, is_token
        self.node = Node(name, parent)

    def __enter__(self):
        self.maker.depth += 1
        self.maker.tokens += self.is_token
        return self.node

    def __exit__(self, *error):
        self.maker.depth -= 1


class Alternation:
    def __init__(self, maker, node, number, sizes):
        self.maker, self.node, self.number, self.sizes = maker, node, number, sizes

    def __enter__(self):
        maker = self.maker
        weights = [1 if maker.depth + depth <= MAX_DEPTH and maker.tokens + tokens <= MAX_TOKENS
                   else 0 for depth, tokens in self.sizes]
        if not any(weights):
            weights[min(range(len(weights)), key=self.sizes.__getitem__)] = 1
        return maker.model.choice(self.node, self.number, weights)

    def __exit__(self, *error):
        pass


def rounds(maker, node, number, size, least=0, most=1 << 30):
    n = 0
    while n < most:
        fits = maker.depth + size[0] <= MAX_DEPTH and maker.tokens + size[1] <= MAX_TOKENS
        if n >= least and not (fits and maker.model.quantify(node, number)):
            return
        yield
        n += 1


class Maker:
    def __init__(self):
        self.model, self.depth, self.tokens = Model(), 0, 0

    def fixed(self, text, parent):
        with Rule(self, text, parent, True) as node:
            node.text = text

    def value(self, parent):
        with Rule(self, 'value', parent) as node:
            with Alternation(self, node, 0, VALUE_SIZES) as way:
                VALUES[way](self, node)

    def object(self, parent):
        with Rule(self, 'object', parent) as node:
            with Alternation(self, node, 0, ((1, 2), (4, 5))) as way:
                self.fixed('{', node)
                if way:
                    self.pair(node)
                    for _ in rounds(self, node, 0, (4, 4)):
                        self.fixed(',', node)
                        self.pair(node)
                self.fixed('}', node)

    def pair(self, parent):
        with Rule(self, 'pair', parent) as node:
            self.string(node)
            self.fixed(':', node)
            self.value(node)

    def array(self, parent):
        with Rule(self, 'array', parent) as node:
            with Alternation(self, node, 0, ((1, 2), (3, 3))) as way:
                self.fixed('[', node)
                if way:
                    self.value(node)
                    for _ in rounds(self, node, 0, (3, 2)):
                        self.fixed(',', node)
                        self.value(node)
                self.fixed(']', node)

    def character(self, node):
        with Alternation(self, node, 0, ((0, 0), (0, 0))) as way:
            if way:
                node.text += '\\' + self.model.charset(node, '"\\/bfnrt')
            else:
                node.text += self.model.charset(node, PLAIN)

    def string(self, parent):
        with Rule(self, 'STRING', parent, True) as node:
            node.text += '"'
            for _ in rounds(self, node, 0, (0, 0), most=1):
                for _ in range(8):
                    self.character(node)
            for _ in rounds(self, node, 1, (0, 0)):
                self.character(node)
            node.text += '"'

    def digits(self, node, number, least):
        for _ in rounds(self, node, number, (0, 0), least):
            node.text += self.model.charset(node, '0123456789')

    def number(self, parent):
        with Rule(self, 'NUMBER', parent, True) as node:
            for _ in rounds(self, node, 0, (0, 0), most=1):
                node.text += '-'
            with Alternation(self, node, 0, ((0, 0), (0, 0))) as way:
                if way:
                    node.text += self.model.charset(node, '123456789')
                    self.digits(node, 1, 0)
                else:
                    node.text += '0'
            for _ in rounds(self, node, 2, (0, 0), most=1):
                node.text += '.'
                self.digits(node, 3, 1)

    def document(self):
        with Rule(self, 'document', None) as node:
            self.fixed('[', node)
            for i in range(8):
                if i:
                    self.fixed(',', node)
                self.value(node)
            for _ in rounds(self, node, 0, (3, 2)):
                self.fixed(',', node)
                self.value(node)
            self.fixed(']', node)
            return node


VALUES = (Maker.object, Maker.array, Maker.string, Maker.number,
          lambda m, p: m.fixed('true', p), lambda m, p: m.fixed('false', p),
          lambda m, p: m.fixed('null', p))
VALUE_SIZES = ((2, 2), (2, 2), (1, 1), (1, 1), (1, 1), (1, 1), (1, 1))


def texts(node):
    if not node.children:
        yield node.text
    for child in node.children:
        yield from texts(child)


def rate():
    begin = time.process_time()
    size = sum(len(''.join(texts(Maker().document()))) for _ in range(1000))
    return size / (time.process_time() - begin) / 1e6


random.seed(1)
print('%.3f' % max(rate() for _ in range(3)))
