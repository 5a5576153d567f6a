# zsh completed.zsh PREFIX: presses Tab behind the first letters of a command and of an option, in a shell that knows no more
# of the program than where it was installed.
zmodload zsh/zpty
export TERM=dumb PREFIX=$1
zpty shell zsh -f -i
zpty -w shell 'PATH=$PREFIX/bin:$PATH fpath=($PREFIX/share/zsh/site-functions $fpath); autoload -U compinit; compinit -D'
zpty -n -w shell $'groundswell verif\t'
zpty -r shell said '*groundswell verify *'
zpty -n -w shell $'\C-ugroundswell proxy --mod\t'
zpty -r shell said '*proxy --model *'
zpty -d shell
